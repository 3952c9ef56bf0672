import { beforeAll, expect, it } from 'vitest'
import type { ErrorCode } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { withProduct } from '#test/server.ts'
import { writeToContacts } from './server/begin/to-contacts.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let connectionId: number
let next = 5_511_970_000_000

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
})

const person = (rest: object = {}) => m().contact(tenantId, { number: String(next++), ...rest })
const people = (count: number) => Promise.all(Array.from({ length: count }, () => person()))

const say = (contactIds: readonly number[], rest: object = {}): Promise<Map<number, ErrorCode>> =>
  unit(product().platform, { tenantId, user: null }, (ctx) =>
    writeToContacts(ctx, { connectionId, contactIds, body: 'Olá, {{name}}!', file: null, sendType: 'test', ...rest }),
  )

const said = (contactIds: readonly number[]) =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages as m')
      .innerJoin('tickets as t', (join) =>
        join.onRef('t.tenant_id', '=', 'm.tenant_id').onRef('t.id', '=', 'm.ticket_id'),
      )
      .select(['m.contact_id', 'm.body', 't.status', 'm.ticket_id'])
      .where('m.contact_id', 'in', contactIds)
      .orderBy('m.seq')
      .execute(),
  )

it('says it to each by name, in the live ticket, the last one, or one that is closed from its beginning', async () => {
  const [ana, bia, eva] = [await person({ name: 'Ana' }), await person({ name: 'Bia' }), await person({ name: 'Eva' })]
  const live = await m().ticket(tenantId, { contact_id: ana, connection_id: connectionId, status: 'open' })
  await say([bia])
  const before = (await said([bia]))[0]!.ticket_id
  expect(await say([ana, bia, eva])).toEqual(new Map())
  const rows = await said([ana, bia, eva])
  expect(rows.map(({ body }) => body)).toEqual(['Olá, Bia!', 'Olá, Ana!', 'Olá, Bia!', 'Olá, Eva!'])
  expect(rows.map(({ status }) => status)).toEqual(['closed', 'open', 'closed', 'closed'])
  expect(rows.map(({ ticket_id }) => ticket_id).slice(0, 3)).toEqual([before, live, before])
})

it('tells of each who gets nothing, and why; the others get it', async () => {
  const [blocked, unknown, fine] = [await person({ blocked: true }), await person({ number: null }), await person()]
  const refused = await say([blocked, unknown, 999_999_999, fine])
  expect(refused).toEqual(
    new Map([
      [blocked, 'ERR_CONTACT_BLOCKED'],
      [unknown, 'ERR_WAPP_CHECK_CONTACT'],
      [999_999_999, 'ERR_NO_CONTACT_FOUND'],
    ]),
  )
  expect(await said([blocked, unknown, fine])).toHaveLength(1)
  expect(await say([fine], { connectionId: 999_999_999 })).toEqual(new Map([[fine, 'ERR_NO_WAPP_FOUND']]))
})

it('asks as much for fifty as for two', async () => {
  const greeting = { connectionId, body: 'Olá, {{name}}!', file: null, sendType: 'test' }
  const asked = async (contactIds: readonly number[]): Promise<Map<string, number>> => {
    const times = new Map<string, number>()
    await unit(product().platform, { tenantId, user: null }, async (ctx) => {
      const trips = await roundTripsOf(product(), () => writeToContacts(ctx, { ...greeting, contactIds }))
      for (const text of trips.flat()) times.set(text, (times.get(text) ?? 0) + 1)
    })
    return times
  }
  const many = await people(50)
  await say(await people(2))
  const [ofFew, ofMany] = [await asked(await people(2)), await asked(many)]
  // Whatever else the process asks meanwhile, it asks no statement for each contact.
  expect([...ofMany].filter(([text, times]) => times > (ofFew.get(text) ?? 0) + 10)).toEqual([])
  expect(await said(many)).toHaveLength(50)
})
