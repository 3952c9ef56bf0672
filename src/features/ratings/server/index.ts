import { saveSettings } from '#features/settings/server/index.ts'
import { lockTicket, visibleSql } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { evaluations, ratings } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import { settings } from '../settings.ts'
import { askJob } from './ask.ts'
import { ratesOf, textsOf } from './config.ts'
import { expireRatings } from './expire.ts'
import { listLogs, listRated } from './list.ts'
import { publishRating } from './publish.ts'
import { deleteRating, findTicketOf } from './queries.ts'

export { askRating, askRatings, removeQuestions } from './ask.ts'
export { ratesOf } from './config.ts'
export { expireRatings } from './expire.ts'
export { forgetRatings } from './queries-forget.ts'
export { takeRatingAnswers } from './take-answers.ts'

const EXPIRE_EVERY_MS = 60_000

const configRoutes = implement(ratings, {
  get: ({ settings }) => ({ rating: ratesOf(settings), ...textsOf(settings) }),
  set: async (ctx, { body }) => {
    const rating = body.toSorted((a, b) => a.rating - b.rating)
    await saveSettings(ctx, { rating: JSON.stringify(rating) })
    return { rating }
  },
  setTexts: async (ctx, { params, body: { id = params.id, ...given } }) => {
    if (params.id !== ctx.tenantId || id !== ctx.tenantId) fail('ERR_NOT_FOUND')
    const changed = Object.entries(given).filter(([, value]) => value !== undefined)
    await saveSettings(ctx, Object.fromEntries(changed.map(([key, value]) => [key, String(value)])))
    return { id, ...textsOf(ctx.settings), ...Object.fromEntries(changed) }
  },
})

const ratingRoutes = implement(evaluations, {
  list: (ctx, { query }) => listRated(ctx, query),
  logs: (ctx, { params, query }) => listLogs(ctx, params.ticketId, query),
  remove: async (ctx, { params }) => {
    const ticketId = required(
      await findTicketOf(ctx.db, params.id, visibleSql(ctx.user, ctx.settings)),
      'ERR_NOT_FOUND',
    )
    const { facts } = await lockTicket(ctx, ticketId)
    await deleteRating(ctx.db, params.id)
    publishRating(ctx, ticketId, facts, null)
    ctx.audit({ target: { ticketId } })
    return { message: 'Avaliação excluída.' }
  },
})

/** Server part of the feature `ratings`: ratings: the question after a ticket, and the answers. */
export const ratingsFeature: Feature = {
  name: 'ratings',
  titles: { ratings: 'Avaliações: configuração', evaluations: 'Avaliações: respostas' },
  settings,
  permissions,
  plan,
  routes: [...configRoutes, ...ratingRoutes],
  jobs: [askJob],
  start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    let round = Promise.resolve()
    const expire = () => {
      round = round
        .then(() => expireRatings(platform))
        .catch((err: unknown) => platform.log.warn({ err }, 'evaluations did not expire'))
    }
    const timer = setInterval(expire, EXPIRE_EVERY_MS)
    return async () => {
      clearInterval(timer)
      await round
    }
  },
}
