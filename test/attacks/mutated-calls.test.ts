import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { channelAdapters } from '#providers/channels/adapters.ts'
import type { ChannelTools } from '#providers/channels/port.ts'
import { randomOf } from '#test/chaos/random.ts'
import { eventForm } from './event-form.ts'
import { mutated } from './mutations.ts'
import { attacked, type Called, requestOf } from './provider-calls.ts'

const CALLS = 300
const door: Called = { url: 'https://guiche.example/api/hooks/x', name: 'guiche-1', secret: 'segredo da porta' }
const tools = {
  ...{ environment: {}, uploads: null, local: null, door, now: () => new Date('2026-07-02T12:00:00Z') },
  log: { warn: () => {} },
} as unknown as ChannelTools

const seedOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE()

test.each(Object.entries(attacked))('%s: whatever its calls say, they are read', async (name, provider) => {
  const { channel, type, settings, values, calls } = provider
  const adapter = channelAdapters[channel]!({ ...values, type }, { ...tools, settings } as ChannelTools)
  const receive = (call: unknown) => adapter.receive!(requestOf(provider, call, door))
  let said = 0
  for (const call of calls) {
    const read = await receive(call)
    expect(read, JSON.stringify(call)).toMatchObject({ isGenuine: true })
    if (read.isGenuine) said += read.events.length
  }
  expect(said).toBeGreaterThan(0)

  const random = randomOf(seedOf(name))
  const wrong: unknown[] = []
  for (let n = 0; n < CALLS; n += 1) {
    const call = mutated(random.of(calls), random)
    try {
      const read = await receive(call)
      if (!read.isGenuine) continue
      for (const { event } of read.events) {
        const { error } = eventForm.safeParse(event)
        if (error) wrong.push({ of: issuesIn(error), call: JSON.stringify(call).slice(0, 600) })
      }
    } catch (error) {
      // A call that is no object is answered 400, as one that is no JSON.
      if (error instanceof SyntaxError && (typeof call !== 'object' || call === null)) continue
      wrong.push({ threw: String((error as Error).stack).slice(0, 400), call: JSON.stringify(call).slice(0, 600) })
    }
  }
  expect(wrong.slice(0, 3)).toEqual([])
})

/** Returns the invalid parts of an event. */
const issuesIn = (error: { issues: readonly { path: PropertyKey[]; message: string }[] }) =>
  error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
