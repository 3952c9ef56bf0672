import type { z } from 'zod'
import type { EventAddress, EventAddresses } from './addresses.ts'
import type { Events } from './contract.ts'

/** Realtime event as data: its names and its payload. */
export type EventSpec<P extends z.ZodType = z.ZodType> = EventAddress & { readonly payload: P }

const declared = new Map<string, EventSpec>()
const nameOf = (channel: string, type: string) => `${channel} ${type}`

/** Adds payload schemas to the events of a feature. */
export function events<A extends EventAddresses, const P extends { readonly [K in keyof A]: z.ZodType }>(
  addresses: A,
  payloads: P & { readonly [K in Exclude<keyof P, keyof A>]: never },
): { readonly [K in keyof A]: A[K] & { readonly payload: P[K] } } {
  const specs = Object.entries(addresses).map(([key, event]) => [key, { ...event, payload: payloads[key] }] as const)
  for (const [, spec] of specs) declared.set(nameOf(spec.channel, spec.type), spec as EventSpec)
  return Object.fromEntries(specs) as { readonly [K in keyof A]: A[K] & { readonly payload: P[K] } }
}

/** The declaration of an event by its names on the wire. */
export const eventOf = (channel: string, type: string): EventSpec | undefined => declared.get(nameOf(channel, type))

type Known = { [F in keyof Events]: Events[F][keyof Events[F]] }[keyof Events]
type Described<E extends EventAddress> = E extends EventSpec ? E : Extract<Known, Pick<E, 'channel' | 'type'>>

/** The payload of an event, as a browser gets it. */
export type Payload<E extends EventAddress> = Described<E> extends EventSpec<infer P> ? z.output<P> : never

/** The envelope on the wire. */
export type Envelope = { type: string; payload: unknown; seq: number | null }
