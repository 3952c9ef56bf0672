import type { Permission } from '#domain/access/permissions.ts'
import { evaluate } from '#domain/criteria.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, accessOf, may } from '../actors.ts'

/** Who may hear an event, as data that is stored with it and judged again for whoever asks later. */
export type Audience =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'users'; readonly ids: readonly number[] }
  | { readonly kind: 'permission'; readonly permission: Permission }
  /** Those who may see the ticket now; those who only could before are told that it is gone. */
  | {
      readonly kind: 'ticket'
      readonly ticketId: number
      readonly before: TicketFacts | null
      readonly after: TicketFacts | null
    }

/** An event with its place in the tenant's feed; null for events that are not kept. */
export type Change = {
  readonly seq: number | null
  readonly channel: string
  readonly type: string
  readonly payload: unknown
  readonly audience: Audience
}

/** What a user hears of a change: the event itself, 'gone' for a ticket that left their sight, or nothing. */
export function hears(
  change: Pick<Change, 'audience'>,
  actor: Actor,
  settings: TenantSettings,
): 'event' | 'gone' | null {
  const { audience } = change
  if (audience.kind === 'tenant') return 'event'
  if (audience.kind === 'users') return audience.ids.includes(actor.id) ? 'event' : null
  if (audience.kind === 'permission') return may(actor, settings, audience.permission) ? 'event' : null
  const criteria = accessOf(actor, settings)
  if (audience.after && evaluate(criteria, audience.after)) return 'event'
  return audience.before && evaluate(criteria, audience.before) ? 'gone' : null
}

/** What a browser is sent. */
export const envelopeFor = (change: Change, heard: 'event' | 'gone') =>
  heard === 'gone' && change.audience.kind === 'ticket'
    ? {
        channel: 'ticketList',
        envelope: { type: 'ticket:gone', payload: { id: change.audience.ticketId }, seq: change.seq },
      }
    : { channel: change.channel, envelope: { type: change.type, payload: change.payload, seq: change.seq } }
