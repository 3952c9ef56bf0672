import { randomUUID } from 'node:crypto'
import { firstOf } from '#domain/present.ts'
import { faultCode } from '#server/db/faults.ts'
import type { Platform } from '#server/platform.ts'

/** Reason why a company's events cannot be stored or processed now (SQLSTATE or errno), and since when (epoch ms). */
export type Delay = { readonly tenantId: number; readonly code: string; readonly since: number }

/** Id in place of a company: all companies. */
export const EVERYBODY = 0

/** Part that detects a failure: the append to the journal, a company's turn, the recovery of waiting events. */
type Part = 'append' | 'turn' | 'recovery'
type State = {
  readonly self: string
  readonly own: Map<string, Delay & { seenAt: number }>
  readonly others: Map<string, { delays: readonly Delay[]; until: number }>
  readonly listeners: Set<() => void>
}

const CHANNEL = 'delays'
/** Time without a repetition after which a delay reported by another process is dropped, in ms; longer than two intervals. */
const BELIEVED_MS = 12_000
/** Time without a failed append after which appending counts as working, because no event may arrive to show it, in ms. */
const APPEND_SILENCE_MS = 5000
/** Maximum number of delays in one notification. */
const MOST_NAMED = 100

const states = new WeakMap<Platform, State>()

function stateOf(platform: Platform): State {
  const known = states.get(platform)
  if (known) return known
  const state: State = { self: randomUUID(), own: new Map(), others: new Map(), listeners: new Set() }
  states.set(platform, state)
  platform.bus.subscribe((tenantId, changes) => {
    if (tenantId !== EVERYBODY) return
    for (const { channel, payload } of changes)
      if (channel === CHANNEL) receive(platform, state, payload as DelayReport)
  })
  return state
}

type DelayReport = { process: string; delays: readonly Delay[] }

function receive(platform: Platform, state: State, { process, delays }: DelayReport): void {
  if (process === state.self) return
  if (delays.length > 0) state.others.set(process, { delays, until: platform.now().getTime() + BELIEVED_MS })
  else state.others.delete(process)
  for (const listener of state.listeners) listener()
}

function publish(platform: Platform, state: State): void {
  const named = [...state.own.values()].map(({ tenantId, code, since }) => ({ tenantId, code, since }))
  const delays = named.length > MOST_NAMED ? [{ ...firstOf(named), tenantId: EVERYBODY }] : named
  const payload: DelayReport = { process: state.self, delays }
  platform.bus.publish(EVERYBODY, { channel: CHANNEL, type: CHANNEL, payload, audience: { kind: 'tenant' } })
  for (const listener of state.listeners) listener()
}

/** Reports an infrastructure error that delays a company's events; shown by `/ready` and the interface. */
export function reportDelay(platform: Platform, part: Part, tenantId: number, error: unknown): void {
  const state = stateOf(platform)
  const key = `${part} ${tenantId}`
  const now = platform.now().getTime()
  const known = state.own.get(key)
  state.own.set(key, { tenantId, code: faultCode(error), since: known?.since ?? now, seenAt: now })
  platform.health.fail('ingest', faultCode(error))
  if (!known) publish(platform, state)
}

/** Ends a reported delay of this part. */
export function endDelay(platform: Platform, part: Part, tenantId: number): void {
  const state = stateOf(platform)
  if (!state.own.delete(`${part} ${tenantId}`)) return
  if (state.own.size === 0) platform.health.recover('ingest')
  publish(platform, state)
}

/** Ends the append delays of all companies; the next append shows the present state. */
export function endAppendDelays(platform: Platform): void {
  for (const [key, { tenantId }] of stateOf(platform).own)
    if (key.startsWith('append')) endDelay(platform, 'append', tenantId)
}

/** Repeats this process's delays to other processes every few seconds, and drops those that were not repeated. */
export function refreshDelays(platform: Platform): void {
  const state = stateOf(platform)
  const now = platform.now().getTime()
  for (const [key, { seenAt, tenantId }] of state.own)
    if (key.startsWith('append') && now - seenAt > APPEND_SILENCE_MS) endDelay(platform, 'append', tenantId)
  if (state.own.size > 0) publish(platform, state)
  const expired = [...state.others].filter(([, { until }]) => until < now)
  for (const [process] of expired) state.others.delete(process)
  if (expired.length > 0) for (const listener of state.listeners) listener()
}

/** Returns the current delays of all processes, oldest first. */
export function listDelays(platform: Platform): Delay[] {
  const { own, others } = stateOf(platform)
  return [...own.values(), ...[...others.values()].flatMap(({ delays }) => delays)].sort((a, b) => a.since - b.since)
}

/** Registers a listener to changes of the delays, in this or another process. */
export const onDelays = (platform: Platform, listener: () => void): void =>
  void stateOf(platform).listeners.add(listener)
