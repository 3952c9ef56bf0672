import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { MESSAGE_STATUSES } from '#domain/messages/status.ts'
import { events } from '#kit/events.ts'
import { uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './event-addresses.ts'
import { messageRow } from './message-rows.ts'
import { ticketDelta } from './ticket-rows.ts'

/** Events of messages: ids, statuses and the ticket's changed fields, at most a kilobyte each. */
export const messageEvents = events(at.messageEvents, {
  create: z.object({ message: messageRow, ticket: ticketDelta, contactName: hidden(z.string(), maskName) }),
  update: z.object({ message: messageRow }),
  remove: z.object({ message: messageRow }),
  ack: z.object({
    id: uuid,
    ticketId: z.number().int(),
    status: z.enum(MESSAGE_STATUSES),
    ack: z.number().int(),
    errorCode: z.string().nullable(),
    isLast: z.boolean(),
  }),
  /** `who` is the contact (null) or the colleague who views, types or records. */
  presence: z.object({
    ticketId: z.number().int(),
    state: z.enum(['composing', 'recording', 'paused', 'viewing', 'left']),
    who: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  }),
})

declare module '#kit/contract.ts' {
  interface Events {
    messageEvents: typeof messageEvents
  }
}
