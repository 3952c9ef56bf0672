import type { z } from 'zod'

/**
 * One realtime event as data. On the wire it is `{tenantId}:{channel}` with `{ type, payload, seq }`
 * (names: specification §7, product facts 3.9). `kept` events go through the changes feed and heal after a
 * reconnect; the others (typing, presence) are only told to who is there.
 */
export type EventSpec<P extends z.ZodType = z.ZodType> = {
  readonly channel: string
  readonly type: string
  readonly kept: boolean
  readonly payload: P
}

const declared = new Map<string, EventSpec>()
const nameOf = (channel: string, type: string) => `${channel} ${type}`

/** Declares the events of a feature. */
export function events<const T extends Record<string, EventSpec>>(specs: T): T {
  for (const spec of Object.values(specs)) declared.set(nameOf(spec.channel, spec.type), spec)
  return specs
}

/** The declaration of an event by its names on the wire. */
export const eventOf = (channel: string, type: string): EventSpec | undefined => declared.get(nameOf(channel, type))

/** The payload of an event, as a browser gets it. */
export type Payload<E extends EventSpec> = z.output<E['payload']>

/** The envelope on the wire. */
export type Envelope = { type: string; payload: unknown; seq: number | null }
