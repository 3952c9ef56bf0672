import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startHub } from '#test/peers/hub.ts'
import { type ChannelTools, type Link, stopCauseOf } from '../port.ts'
import { hubAdapter } from './adapter.ts'

const DOOR = 'https://guiche.example/api/hooks/x'
const MINUTE_MS = 60_000
const ends: (() => Promise<void>)[] = []
// Network events run in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(ends.splice(0).map((end) => end()))
})

/** Waits for an event over the network, independently of the clock. */
async function soon(is: () => boolean): Promise<void> {
  for (let turns = 0; turns < 200_000 && !is(); turns++) await new Promise(setImmediate)
  expect(is()).toBe(true)
}

/** Opens a connection of an account at the hub. */
async function opened() {
  const hub = await startHub()
  const calls = { open: 0, looks: 0 }
  const fetchBy: ChannelTools['fetch'] = async (address, { method = 'GET', headers = {}, body } = {}) => {
    calls.open++
    const answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body: body as string }) })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    calls.open--
    if (address.endsWith('/channels')) calls.looks++
    return { url: address, status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes }
  }
  const { id: channelId } = hub.channels[0]!
  const tools = {
    ...{ fetch: fetchBy, settings: { url: hub.address, key: hub.key }, door: { url: DOOR, name: 'g', secret: 's' } },
    now: () => new Date(0),
  } as Partial<ChannelTools> as ChannelTools
  const adapter = hubAdapter({ channelId, channel: 'hub_whatsapp_business_account' }, tools)
  const statuses: string[] = []
  const link = {
    status: async (status) => void statuses.push(status),
    caughtUp: async () => {},
  } as Partial<Link> as Link
  const ended: { error?: unknown } = {}
  const life = adapter.open!(link).catch((error: unknown) => void Object.assign(ended, { error }))
  ends.push(async () => {
    await adapter.close!()
    await life
    await hub.close()
  })
  /** Waits until the hub was polled for the account's state once more, and the next minute has begun. */
  async function looked(before: number) {
    await soon(() => calls.looks > before && calls.open === 0)
    await new Promise(setImmediate)
  }
  async function minute() {
    const { looks } = calls
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    await looked(looks)
  }
  await looked(1)
  return { hub, adapter, statuses, ended, minute, channelId }
}

test('what the hub does not call any more is set again within ten minutes, and nothing else is changed', async () => {
  const { hub, statuses, ended, minute, channelId } = await opened()
  expect(hub.subscriptions).toMatchObject([{ criteria: { channel: channelId }, webhook: { url: DOOR } }])
  // Deleted there; the others belong to another account and another program.
  const others = [
    { criteria: { channel: 'outro' }, webhook: { url: DOOR } },
    { criteria: { channel: channelId }, webhook: { url: 'https://outro.example/x' } },
  ]
  hub.subscriptions.splice(0, 1, ...others)
  for (let n = 0; n < 9; n++) await minute()
  expect(hub.subscriptions).toEqual(others)
  await minute()
  await soon(() => hub.subscriptions.length === 3)
  expect(hub.subscriptions.at(-1)).toMatchObject({ criteria: { channel: channelId }, webhook: { url: DOOR } })
  for (let n = 0; n < 10; n++) await minute()
  expect(hub.subscriptions).toHaveLength(3)
  expect(statuses).toEqual(['CONNECTED'])
  expect(ended).toEqual({})
})

test('a hub that lists nothing is told once, and again when somebody asks for it', async () => {
  const { hub, adapter, minute, statuses } = await opened()
  hub.faults.listsNothing = true
  for (let n = 0; n < 11; n++) await minute()
  expect(hub.subscriptions).toHaveLength(1)
  await adapter.setWebhook!()
  expect(hub.subscriptions).toHaveLength(2)
  expect(statuses).toEqual(['CONNECTED'])
})

test('an account that is gone at the hub waits for a person within the minute; a hub that is down is asked anew', async () => {
  const gone = await opened()
  gone.hub.channels.splice(0, 1)
  await gone.minute()
  await soon(() => gone.ended.error !== undefined)
  expect(stopCauseOf(gone.ended.error)).not.toBeNull()
  const down = await opened()
  down.hub.faults.isDown = true
  await down.minute()
  await soon(() => down.ended.error !== undefined)
  expect(stopCauseOf(down.ended.error)).toBeNull()
})
