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

/** What the application's role asks of the database while messages come in and are processed. */
async function statementsOf(froms: readonly string[]): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await Promise.all(froms.map((from) => receive(product().platform, to, [textEvent({ from, body: 'Oi' })])))
  await ingestIdle(product().platform)
  const asked = query.mock.calls.flatMap(([what], n) => {
    const { user, connectionParameters } = query.mock.contexts[n] as unknown as Client
    return user === 'guiche_app' && connectionParameters.application_name === 'guiche'
      ? [typeof what === 'string' ? what : (what as unknown as { text: string }).text]
      : []
  })
  query.mockRestore()
  return asked.map((text) => text.trim().replaceAll(/\s+/g, ' '))
}

it('a message in a known conversation takes ten round trips with its place in the journal', async () => {
  await statementsOf(people)
  const asked = await statementsOf(people.slice(0, 1))
  expect(asked.map((text) => /^[a-z]+/.exec(text)![0])).toEqual([
    'insert', // the journal
    'begin',
    'with', // taken, with its connection
    'select', // known messages
    'select', // contacts
    'select', // tickets, held
    'insert', // messages
    'update', // tickets
    'select', // the changes feed
    'commit',
  ])
})

it('messages that arrive at one moment are one append and one transaction', async () => {
  const asked = await statementsOf(people)
  expect(asked.filter((text) => text.startsWith('insert into journal'))).toHaveLength(1)
  expect(asked.filter((text) => text === 'commit')).toHaveLength(1)
})
