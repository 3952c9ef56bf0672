import { createHash } from 'node:crypto'
import { eventTime } from '#domain/flow/event-time.ts'
import { cutText } from '#domain/text.ts'
import { eventJob } from '#features/flows/server/index.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import { AppError, errorText } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { createEvent } from './event-routes.ts'
import { enqueuePush } from './sync.ts'

/** Job that creates a calendar event for a flow, once per effect; a failure is noted in the conversation. */
export const flowEventJob = job({
  ...eventJob,
  run: (platform, { tenantId, effectId, ticketId, calendarId, when, at, ...given }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const problem = await make(ctx)
      const ticket = problem && (await lockLedgerTicket(ctx.db, ticketId))
      if (!ticket) return
      const text = `O fluxo não criou o evento no Google Agenda. ${problem}`
      const note = { ticket, source: 'bot', isNote: true, mediaType: 'note', body: text, sendType: 'bot' } as const
      await writeMessages(ctx, [{ ...note, idFront: effectId }])

      async function make(within: Ctx): Promise<string | null> {
        const span = eventTime(when, at, within.settings.timezone)
        if (span === null) return 'O dia não foi entendido.'
        const times = span.isAllDay
          ? { start: span.firstDay, end: span.lastDay }
          : { start: new Date(span.start).toISOString(), end: new Date(span.end).toISOString() }
        try {
          const { id } = await createEvent(within, {
            ...{ id: idOf(tenantId, effectId), configId: calendarId, userId: null, ...times },
            title: cutText(given.title || 'Evento', 300),
            ...{ description: cutText(given.description, 8000), location: cutText(given.location, 500) },
            ...{ attendees: given.attendees, notifies: given.notifies, reminderMinutes: given.reminderMinutes },
          })
          enqueuePush(within, id)
          return null
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          const [sentence] = Object.values(error.details ?? {})
          return typeof sentence === 'string' ? sentence : errorText(error.code)
        }
      }
    }),
})

/** Returns the event id of an effect: a UUID (version 8, RFC 9562) derived from it. */
function idOf(tenantId: number, effectId: string): string {
  const hex = createHash('sha256').update(`${tenantId}:${effectId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
