import { beforeAll, expect, it } from 'vitest'
import { make } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { roundTripsOf } from '#test/round-trips.ts'
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
