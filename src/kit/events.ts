import type { z } from 'zod'
import { memberOf } from '#domain/present.ts'
import type { EventAddress, EventAddresses } from './addresses.ts'
import type { Events } from './contract.ts'

/** Specification of a realtime event: its names and its payload schema. */
export type EventSpec<P extends z.ZodType = z.ZodType> = EventAddress & { readonly payload: P }

const declared = new Map<string, EventSpec>()
const nameOf = (channel: string, type: string) => `${channel} ${type}`

/** Adds payload schemas to the events of a feature. */
export function events<A extends EventAddresses, const P extends { readonly [K in keyof A]: z.ZodType }>(
  addresses: A,
  payloads: P & { readonly [K in Exclude<keyof P, keyof A>]: never },
): { readonly [K in keyof A]: A[K] & { readonly payload: P[K] } }
export function events(addresses: EventAddresses, payloads: Readonly<Record<string, z.ZodType>>) {
  const specs = Object.entries(addresses).map(([key, event]): [string, EventSpec] => [
    key,
    { ...event, payload: memberOf(payloads, key) },
  ])
  for (const [, spec] of specs) declared.set(nameOf(spec.channel, spec.type), spec)
  return Object.fromEntries(specs)
}

/** Returns the specification of an event by its channel and type; undefined if it is not declared. */
export const eventOf = (channel: string, type: string): EventSpec | undefined => declared.get(nameOf(channel, type))

type Known = { [F in keyof Events]: Events[F][keyof Events[F]] }[keyof Events]
type Described<E extends EventAddress> = E extends EventSpec ? E : Extract<Known, Pick<E, 'channel' | 'type'>>

/** Payload of an event, as a browser receives it. */
export type Payload<E extends EventAddress> = Described<E> extends EventSpec<infer P> ? z.output<P> : never

/** Envelope of an event on the wire. */
export type Envelope = { type: string; payload: unknown; seq: number | null }
