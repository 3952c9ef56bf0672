import { cutText } from '#domain/text.ts'
import { openJobValue } from '#features/tickets/server/actions/index.ts'
import { AppError } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { ownerOfTicket, wasOpened } from './queries-open.ts'
import { isColleague } from './queries-write.ts'
import { todayOf } from './view.ts'
import { makeCard } from './write.ts'

const DAY_MS = 86_400_000

/** Job that creates an opportunity for a flow, rule or macro, once per `wish`; does nothing if its stage is gone. */
export const openJob = job({
  ...openJobValue,
  run: async (platform, { tenantId, wish, ticketId, contactId, days, date, ...given }) => {
    const open = unit(platform, { tenantId, user: null }, async (ctx) => {
      if (await wasOpened(ctx.db, wish)) return
      const { userId, contactName } = await ownerOfTicket(ctx.db, ticketId)
      const responsibleId = given.responsibleId ?? userId
      const isHere = responsibleId !== null && (await isColleague(ctx.db, responsibleId))
      const expected = new Date(Date.parse(`${todayOf(ctx)}T00:00Z`) + (days ?? 0) * DAY_MS).toISOString().slice(0, 10)
      await makeCard(
        ctx,
        {
          ...{ contactId, stageId: given.stageId, status: given.status, value: given.value },
          ...{ responsibleId: isHere ? responsibleId : null, closingForecast: days === null ? date : expected },
          name: cutText(given.name.trim() || contactName || 'Oportunidade', 120),
          description: cutText(given.description, 4000),
          fields: {},
          reason: given.status === 'lose' ? 'Marcada por automação' : '',
        },
        wish,
      )
    })
    await open.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
  },
})
