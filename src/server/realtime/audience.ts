import type { z } from 'zod'
import { evaluate } from '#domain/criteria.ts'
import type { Audience } from '#kit/audience.ts'
import { type EventSpec, eventOf } from '#kit/events.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, accessOf, may } from '../actors.ts'
import { maskingOf } from '../masking.ts'

/** Whether a change is of an event, whose schema its payload went through. */
export const isOf = <E extends EventSpec>(
  change: Change,
  { channel, type }: E,
): change is Change & { readonly payload: z.output<E['payload']> } => change.channel === channel && change.type === type

/** Event with its sequence number in the tenant's feed; null for events that are not stored. */
export type Change = {
  readonly seq: number | null
  readonly channel: string
  readonly type: string
  readonly payload: unknown
  readonly audience: Audience
}

/**
 * Form in which a user receives a change: as it is, with customers' data masked, or as the removal of a ticket they no
 * longer see.
 */
export type DeliveredForm = 'event' | 'masked' | 'gone'

/** Returns the form in which a user receives a change; null if they do not. */
export function deliveredForm(
  change: Pick<Change, 'audience' | 'channel' | 'type'>,
  actor: Actor,
  settings: TenantSettings,
): DeliveredForm | null {
  const delivered = reaches(change.audience, actor, settings)
  if (delivered !== 'event' || !actor.restrictedUser) return delivered
  const spec = eventOf(change.channel, change.type)
  // An undeclared event cannot be masked.
  if (!spec) return null
  return maskingOf(spec.payload) ? 'masked' : 'event'
}

function reaches(audience: Audience, actor: Actor, settings: TenantSettings): 'event' | 'gone' | null {
  if (audience.kind === 'tenant') return 'event'
  if (audience.kind === 'users')
    return audience.ids.includes(actor.id) && !(audience.isPersonal && actor.byMasterKey) ? 'event' : null
  if (audience.kind === 'permission') return may(actor, settings, audience.permission) ? 'event' : null
  const criteria = accessOf(actor, settings)
  if (audience.after && evaluate(criteria, audience.after)) return 'event'
  return audience.before && evaluate(criteria, audience.before) ? 'gone' : null
}

/** Builds the envelope sent to a browser. */
export function envelopeFor({ channel, type, payload, seq, audience }: Change, delivered: DeliveredForm) {
  if (delivered === 'gone' && audience.kind === 'ticket')
    return { channel: 'ticketList', envelope: { type: 'ticket:gone', payload: { id: audience.ticketId }, seq } }
  const spec = delivered === 'masked' ? eventOf(channel, type) : undefined
  const masking = spec && maskingOf(spec.payload)
  return { channel, envelope: { type, payload: masking ? masking(payload) : payload, seq } }
}
