import pg from 'pg'
import { beforeAll, expect, it, vi } from 'vitest'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { ingestIdle, receive } from './server/index.ts'

const product = withProduct()
let to: { tenantId: number; connectionId: number }

beforeAll(async () => {
  const m = make(product().platform)
  testChannel(product().platform)
  const tenantId = await m.tenant()
  to = { tenantId, connectionId: await m.connection(tenantId, { type: 'test' }) }
})

const people = Array.from({ length: 20 }, (_, n) => `pessoa-${n}`)

type Client = { user: string; connectionParameters: { application_name: string } }

/** What the application's role asks of the database meanwhile, by round trip: what goes out before an answer is one. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = []
  const open = new WeakMap<object, number>()
  const ask = pg.Client.prototype.query as (this: unknown, ...args: unknown[]) => unknown
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const { user, connectionParameters } = this as Client
    const answer = ask.apply(this, args)
    if (user !== 'guiche_app' || connectionParameters.application_name !== 'guiche') return answer as never
    const waiting = open.get(this as object) ?? 0
    if (waiting === 0) trips.push([])
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
    trips.at(-1)!.push(text.trim().replaceAll(/\s+/g, ' '))
    open.set(this as object, waiting + 1)
    const end = () => open.set(this as object, open.get(this as object)! - 1)
    ;(answer as Promise<unknown>).then(end, end)
    return answer as never
  })
  await work().finally(() => query.mockRestore())
  return trips
}

async function ingest(froms: readonly string[]): Promise<string[][]> {
  return roundTripsOf(async () => {
    await Promise.all(froms.map((from) => receive(product().platform, to, [textEvent({ from, body: 'Oi' })])))
    await ingestIdle(product().platform)
  })
}

it('a message in a known conversation takes six round trips with its place in the journal', async () => {
  await ingest(people)
  const trips = await ingest(people.slice(0, 1))
  expect(trips.map((trip) => trip.map((text) => /^[a-z]+/.exec(text)![0]))).toEqual([
    ['insert'], // the journal
    ['begin'],
    ['with'], // taken, with its connection
    ['select', 'select', 'select'], // known messages, contacts, tickets, held
    ['insert', 'update'], // messages, tickets
    ['select', 'commit'], // the changes feed
  ])
})

it('messages that arrive at one moment are one append and one transaction', async () => {
  const asked = (await ingest(people)).flat()
  expect(asked.filter((text) => text.startsWith('insert into journal'))).toHaveLength(1)
  expect(asked.filter((text) => text === 'commit')).toHaveLength(1)
})
