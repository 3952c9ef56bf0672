import type { z } from 'zod'
import type { EventType, Scope } from '#domain/webhook-endpoints/types.ts'
import { connectionEvents } from '#features/connections/connection-events.ts'
import { funnelEvents } from '#features/funnel/contract.ts'
import { contactEvents } from '#features/ledger/contact-events.ts'
import { messageEvents } from '#features/ledger/message-events-contract.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { userEvents } from '#features/users/contract.ts'
import type { EventSpec } from '#kit/events.ts'
import type { Change } from '#server/realtime/audience.ts'

/** Record that an event is about; the feed contains only its id. */
export type Subject = { readonly kind: 'contact' | 'user' | 'channel' | 'opportunity'; readonly id: number }

/** Event as far as the changes feed describes it. */
export type Occurrence = Scope & {
  /** Null: created or updated, depending on the record's age. */
  readonly type: EventType | null
  readonly subject?: Subject
  readonly contactId: number | null
  readonly data: object
}

type Payload<E extends { payload: z.ZodType }> = z.output<E['payload']>
type Reading<E extends EventSpec> = (payload: Payload<E>, change: Change) => readonly Occurrence[]

const readings = new Map<string, Reading<EventSpec>>()

/** Registers how an event's changes map to webhook occurrences. */
export const registerOccurrences = <E extends EventSpec>(event: E, reading: Reading<E>): void => {
  readings.set(`${event.channel} ${event.type}`, reading)
}

/** Returns the webhook occurrences of a change; most changes have none. */
export const occurrencesOf = (change: Change): readonly Occurrence[] =>
  readings.get(`${change.channel} ${change.type}`)?.(change.payload, change) ?? []

/** Returns connection and queue of a ticket's change. */
function scopeOf({ audience }: Change): Scope {
  const facts = audience.kind === 'ticket' ? (audience.after ?? audience.before) : null
  return facts ? { connectionId: facts.whatsappId, queueId: facts.queueId } : {}
}

registerOccurrences(messageEvents.create, ({ message, ticket, contactName }, change) => [
  {
    ...scopeOf(change),
    ...{ type: 'message.created', contactId: message.contactId },
    data: { ...message, contactName, ticket },
  },
])
registerOccurrences(messageEvents.update, ({ message }, change) => [
  { ...scopeOf(change), type: 'message.updated', contactId: message.contactId, data: message },
])
registerOccurrences(messageEvents.remove, ({ message }, change) => [
  { ...scopeOf(change), type: 'message.deleted', contactId: message.contactId, data: message },
])
registerOccurrences(messageEvents.ack, ({ isLast: _, ...status }, change) => [
  { ...scopeOf(change), type: 'message.status', contactId: null, data: status },
])

const withoutDraft = ({ draft: _, ...ticket }: Payload<typeof ticketEvents.create>) => ticket
registerOccurrences(ticketEvents.create, (ticket, change) => [
  { ...scopeOf(change), type: 'ticket.created', contactId: ticket.contactId, data: withoutDraft(ticket) },
])
registerOccurrences(ticketEvents.update, (ticket, change) => {
  const { audience } = change
  const occurrence = { ...scopeOf(change), contactId: ticket.contactId, data: withoutDraft(ticket) }
  const isClosed =
    audience.kind === 'ticket' && audience.after?.status === 'closed' && audience.before?.status !== 'closed'
  const updated = { ...occurrence, type: 'ticket.updated' } as const
  return isClosed ? [updated, { ...occurrence, type: 'ticket.closed' }] : [updated]
})
registerOccurrences(ticketEvents.rated, (rated, change) =>
  rated.evaluation === null
    ? []
    : [
        {
          ...scopeOf(change),
          ...{ type: 'rating.created', contactId: null },
          data: { ticketId: rated.id, rating: rated.evaluation },
        },
      ],
)

const ofContact = (id: number): Occurrence => ({
  ...{ type: null, contactId: id, data: { id } },
  subject: { kind: 'contact', id },
})
registerOccurrences(contactEvents.update, ({ id }) => [ofContact(id)])
registerOccurrences(contactEvents.moved, ({ ids }) => ids.map(ofContact))
registerOccurrences(contactEvents.delete, ({ id }) => [{ type: 'contact.deleted', contactId: id, data: { id } }])

registerOccurrences(userEvents.changed, ({ userId: id }) => [
  { type: null, contactId: null, subject: { kind: 'user', id }, data: { id } },
])

registerOccurrences(connectionEvents.changed, ({ whatsapp }) => [
  {
    ...{ type: null, contactId: null, connectionId: whatsapp.id, data: whatsapp },
    subject: { kind: 'channel', id: whatsapp.id },
  },
])
registerOccurrences(connectionEvents.removed, ({ whatsappId: id }) => [
  { type: 'channel.deleted', contactId: null, connectionId: id, data: { id } },
])

registerOccurrences(funnelEvents.moved, ({ happened = [] }) =>
  happened.flatMap(({ id, contactId, types }) =>
    types.map((type) => ({
      ...{ type: `opportunity.${type}` as const, contactId, data: { id } },
      ...(type === 'deleted' ? {} : { subject: { kind: 'opportunity' as const, id } }),
    })),
  ),
)
