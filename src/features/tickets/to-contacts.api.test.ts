import { beforeAll, expect, it } from 'vitest'
import { registerStatusHooks } from '#features/ledger/server/ports/index.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { roundTripsOf } from '#test/round-trips.ts'
import { withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { writeToContacts, writeToEach } from './server/begin/to-contacts.ts'

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
  const asked = (contactIds: readonly number[]): Promise<number> =>
    unit(product().platform, { tenantId, user: null }, async (ctx) => {
      const write = () => writeToContacts(ctx, { ...greeting, contactIds })
      return (await roundTripsOf(product(), write, { ownOnly: true })).flat().length
    })
  const many = await people(50)
  await say(await people(2))
  const ofFew = await asked(await people(2))
  expect(ofFew).toBeGreaterThan(5)
  expect(await asked(many)).toBe(ofFew)
  expect(await said(many)).toHaveLength(50)
})

it('says to each what is theirs, under an id of its own, with values beside those of the contact', async () => {
  const [ana, bia] = [await person({ name: 'Ana' }), await person({ name: 'Bia' })]
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  const messages = [
    { contactId: ana, id: ids[0]!, body: '{{firstName}}: {{var1}}', values: { var1: 'boleto 12' }, file: null },
    { contactId: bia, id: ids[1]!, body: 'Só {{firstName}}', file: null },
  ]
  const refused = await unit(product().platform, { tenantId, user: null }, (ctx) =>
    writeToEach(ctx, { connectionId, sendType: 'test', source: 'campaign' }, messages),
  )
  expect(refused).toEqual(new Map())
  expect((await said([ana, bia])).map(({ body }) => body)).toEqual(['Ana: boleto 12', 'Só Bia'])
  const stored = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').select('contact_id').where('id', 'in', ids).orderBy('seq').execute(),
  )
  expect(stored.map(({ contact_id }) => contact_id)).toEqual([ana, bia])
})

it('tells who follows a type of message what becomes of it; what fails is told again', async () => {
  const told: string[] = []
  let failures = 1
  const before = registerStatusHooks([
    {
      name: 'test-statuses',
      sendTypes: ['followed'],
      run: async (_, changes) => {
        if (failures-- > 0) throw new Error('once')
        told.push(...changes.map(({ status }) => status))
      },
    },
  ])
  await say([await person()], { sendType: 'followed' })
  await say([await person()])
  await until(async () => told.length === 1)
  registerStatusHooks(before)
  expect(told).toEqual(['sent'])
})
