import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { contacts } from '#features/contacts/contract.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, ownProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { birthdays } from './contract.ts'
import { greetAll } from './server/greet.ts'

// Noon in São Paulo, on a 28 February of a year without a 29th.
let clock = new Date('2027-02-28T15:00:00Z')
let atCheckpoint: ((name: string) => void) | null = null
const product = ownProduct('its clock is set to a day', {
  now: () => clock,
  checkpoint: (name) => atCheckpoint?.(name),
})
const made = () => make(product().platform)
const sent: { body: string; conversationKey: string }[] = []
let tenantId: number
let boss: Awaited<ReturnType<ReturnType<typeof make>['user']>>
let connection: number

beforeAll(() => {
  testChannel(product().platform).behave(async ({ messageId, body, conversationKey }) => {
    sent.push({ body, conversationKey })
    return { providerId: messageId }
  })
})
beforeEach(async () => {
  clock = new Date('2027-02-28T15:00:00Z')
  sent.length = 0
  tenantId = await made().tenant()
  boss = await made().user(tenantId, { profile: 'admin' })
  connection = await made().connection(tenantId, { type: 'test' })
})

let phones = 0
const born = (name: string, day: string, row: object = {}) =>
  made().contact(tenantId, { name, birthday_date: day, number: `55219${String(70_000_000 + ++phones)}`, ...row })
// A token of this moment: the clock is moved.
const admin = () => made().token(boss)
const setting = async (id: number, body: object) =>
  call(product(), birthdays.save, await admin(), {
    params: { id },
    body: { isOn: true, hour: 9, message: 'Parabéns, {{firstName}}!', ...body } as never,
  })
const list = async (range = 'today') =>
  (await call(product(), birthdays.list, await admin(), { query: { range } as never })).body.birthdays
const greetings = () =>
  product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .select(['body', 'contact_id', 'ticket_id'])
      .where('send_type', '=', 'birthday')
      .orderBy('seq')
      .execute(),
  )
const send = async (body: object) => {
  const reply = await call(product(), birthdays.send, await admin(), {
    body: { whatsappId: connection, ...body },
  })
  return reply.body
}

it('at its hour each contact is congratulated once a year, in a conversation that stays closed', async () => {
  const leap = await born('Ana Leap', '1996-02-29')
  const own = await born('Bia Dias', '1990-02-28')
  await born('Caio', '1990-03-01')
  // The first connection is another one, which is off.
  const off = await made().connection(tenantId, { type: 'test', is_default: true })
  await setting(off, { isOn: false, hour: 0 })
  expect((await setting(connection, { hour: 13 })).status).toBe(200)
  await greetAll(product().platform)
  expect(await greetings()).toEqual([])
  clock = new Date('2027-02-28T16:00:00Z')
  // Two processes at once.
  await Promise.all([greetAll(product().platform), greetAll(product().platform)])
  await greetAll(product().platform)
  const all = await greetings()
  expect(all.map(({ body, contact_id }) => [contact_id, body]).sort()).toEqual([
    [leap, 'Parabéns, Ana!'],
    [own, 'Parabéns, Bia!'],
  ])
  await until(() => sent.length === 2)
  const tickets = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('status').execute(),
  )
  expect(tickets).toEqual([{ status: 'closed' }, { status: 'closed' }])
  expect(await list()).toMatchObject([
    { id: leap, age: 31, days: 0, greeting: { code: '' } },
    { id: own, age: 37, greeting: { code: '', whatsappId: connection } },
  ])
  clock = new Date('2028-02-28T16:00:00Z')
  await greetAll(product().platform)
  expect((await greetings()).slice(2).map(({ contact_id }) => contact_id)).toEqual([own])
})

it('killed in the middle nothing of a block is left, and the next round congratulates all of it, once', async () => {
  for (let n = 0; n < 60; n++) await born(`Cliente ${n}`, '1980-02-28')
  await setting(connection, {})
  let blocks = 0
  atCheckpoint = (name) => {
    if (name === 'birthdays noted' && ++blocks === 2) throw new Error('killed')
  }
  await expect(greetAll(product().platform)).rejects.toThrow('killed')
  atCheckpoint = null
  expect(await greetings()).toHaveLength(50)
  await greetAll(product().platform)
  const all = await greetings()
  expect([all.length, new Set(all.map(({ contact_id }) => contact_id)).size]).toEqual([60, 60])
})

it('whoever is blocked or cannot be reached is passed over, with why; by hand they are tried again', async () => {
  const blocked = await born('Dora', '1985-02-28', { blocked: true })
  const mute = await born('Eva', '1985-02-28', { number: null })
  const gone = await born('Gil', '1985-02-28')
  const other = await born('Hugo', '1985-06-01')
  await setting(connection, {})
  await greetAll(product().platform)
  expect((await list()).map(({ id, greeting }) => [id, greeting?.code])).toEqual([
    [blocked, 'ERR_CONTACT_BLOCKED'],
    [mute, 'ERR_WAPP_CHECK_CONTACT'],
    [gone, ''],
  ])
  expect((await list())[0]!.greeting!.text).toBe('O contato está bloqueado.')
  await product().platform.db.asPlatform((db) =>
    db.updateTable('contacts').set({ blocked: false }).where('id', '=', blocked).execute(),
  )
  expect(await send({ contactIds: [blocked, mute, gone, other] })).toEqual({
    queued: 1,
    skipped: expect.arrayContaining([
      { contactId: mute, code: 'ERR_WAPP_CHECK_CONTACT' },
      { contactId: gone, code: 'ERR_ALREADY_GREETED' },
      { contactId: other, code: 'ERR_NO_BIRTHDAY' },
    ]),
  })
  expect(await send({})).toMatchObject({ queued: 0 })
  expect(await send({ whatsappId: 999_999 })).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
})

it('a closed window is told and begins nothing; where another connection is open, that one congratulates', async () => {
  const official = await made().connection(tenantId, { type: 'waba', is_default: true })
  const ana = await born('Ana', '1985-02-28')
  await setting(official, {})
  await greetAll(product().platform)
  expect(await list()).toMatchObject([{ id: ana, greeting: { code: 'ERR_WINDOW_CLOSED', whatsappId: official } }])
  const begun = () =>
    product().platform.db.read(tenantId, (db) => db.selectFrom('tickets').select(['contact_id', 'channel']).execute())
  expect(await begun()).toEqual([])
  await setting(connection, {})
  const bia = await born('Bia', '1985-02-28')
  await greetAll(product().platform)
  expect(await begun()).toEqual([{ contact_id: bia, channel: 'test' }])
  expect((await list()).map(({ greeting }) => [greeting?.code, greeting?.whatsappId])).toEqual([
    ['ERR_WINDOW_CLOSED', official],
    ['', connection],
  ])
})

it('however many have a birthday, each call goes on behind those of before, and who is named is found', async () => {
  await product().platform.db.write(tenantId, (db) =>
    sql`insert into contacts (tenant_id, name, birthday_date, blocked)
      select app.tenant(), 'Cliente ' || n, '1980-02-28', true from generate_series(1, 500) n`.execute(db),
  )
  const [last, other] = [await born('Zoé', '1980-02-28'), await born('Yara', '1980-02-28')]
  expect(await send({ contactIds: [last, last] })).toEqual({ queued: 1, skipped: [] })
  expect((await send({})).queued).toBe(0)
  expect((await send({})).queued).toBe(1)
  expect((await greetings()).map(({ contact_id }) => contact_id)).toEqual([last, other])
})

it('goes into the live conversation with its file, and is off until somebody switches it on', async () => {
  const id = await born('Íris', '1985-02-28', { number: '5521970001234' })
  const ticket = await made().ticket(tenantId, {
    ...{
      contact_id: id,
      connection_id: connection,
      conversation_key: '5521970001234',
      channel: 'test',
      status: 'open',
    },
  })
  await greetAll(product().platform)
  expect(await greetings()).toEqual([])
  const form = new FormData()
  for (const [key, value] of Object.entries({ isOn: 'true', hour: '0', message: 'Viva!' })) form.append(key, value)
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.append('file', new Blob([Buffer.from(png, 'base64')]), 'bolo.png')
  const headers = { authorization: `Bearer ${await admin()}` }
  const reply = await fetch(`${product().address}/api/birthdays/settings/${connection}`, {
    method: 'PUT',
    headers,
    body: form,
  })
  expect(await reply.json()).toMatchObject({ fileName: 'bolo.png', isOn: true })
  await setting(connection, { hour: 0, message: 'Viva!' })
  await greetAll(product().platform)
  expect(await greetings()).toMatchObject([{ body: 'Viva!', ticket_id: ticket }])
  const row = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').select(['media_type', 'file_id']).executeTakeFirstOrThrow(),
  )
  expect(row).toMatchObject({ media_type: 'image', file_id: expect.any(String) })
  expect((await setting(connection, { removeFile: true })).body).toMatchObject({ fileName: null })
})

it('a person has one, whichever of the contacts that they are had it; what was refused to one is tried by the other', async () => {
  const [greeted, old] = [await born('Lia', '1985-02-28'), await born('Lia Prado', '')]
  const [mute, reached] = [await born('Ivo', '1985-02-28', { number: null }), await born('Ivo Reis', '')]
  await setting(connection, {})
  await greetAll(product().platform)
  expect((await greetings()).map(({ contact_id }) => contact_id)).toEqual([greeted])
  const merge = async (id: number, contactId: number) =>
    expect(await call(product(), contacts.merge, await admin(), { params: { id }, body: { contactId } })).toMatchObject(
      { status: 200 },
    )
  await merge(old, greeted)
  await merge(reached, mute)
  await greetAll(product().platform)
  await greetAll(product().platform)
  expect((await greetings()).map(({ contact_id }) => contact_id)).toEqual([greeted, reached])
  expect((await list()).map(({ id, greeting }) => [id, greeting?.code])).toEqual([
    [old, ''],
    [reached, ''],
  ])
  expect(await send({ contactIds: [old] })).toEqual({
    queued: 0,
    skipped: [{ contactId: old, code: 'ERR_ALREADY_GREETED' }],
  })
  expect(await greetings()).toHaveLength(2)
})

it('is sent by hand over one’s own connections alone, and to whom one sees', async () => {
  const agent = await made().user(tenantId)
  const own = await made().connection(tenantId, { type: 'test' })
  const [free, guarded] = [await born('Ana', '1985-02-28'), await born('Bia', '1985-02-28')]
  await made().setting(tenantId, 'DirectTicketsToWallets')
  await product().platform.db.write(tenantId, async (db) => {
    const of = { tenant_id: tenantId }
    await db
      .insertInto('user_connections')
      .values({ ...of, user_id: agent.id, connection_id: own })
      .execute()
    await db
      .insertInto('contact_wallets')
      .values({ ...of, contact_id: guarded, user_id: boss.id })
      .execute()
  })
  const token = await made().token(agent)
  const by = (whatsappId: number) =>
    call(product(), birthdays.send, token, { body: { whatsappId, contactIds: [free, guarded] } })
  expect(await by(connection)).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
  expect((await by(own)).body).toEqual({
    queued: 1,
    skipped: [{ contactId: guarded, code: 'ERR_NO_BIRTHDAY' }],
  })
})

it('a company that is inactive congratulates nobody', async () => {
  await born('Ana', '1985-02-28')
  await setting(connection, {})
  const become = (status: string) =>
    product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ status }).where('id', '=', tenantId).execute(),
    )
  await become('inactive')
  await greetAll(product().platform)
  expect(await greetings()).toEqual([])
  await become('active')
  await greetAll(product().platform)
  expect(await greetings()).toHaveLength(1)
})

it('lists today, the week and the month by day, page by page', async () => {
  clock = new Date('2026-12-30T15:00:00Z')
  const ids = [await born('Sexta', '1990-01-01'), await born('Hoje', '1991-12-30'), await born('Depois', '1992-01-20')]
  await born('Longe', '1993-05-05')
  await born('Turma', '1991-12-30', { is_group: true })
  expect((await list()).map(({ id, age }) => [id, age])).toEqual([[ids[1], 35]])
  expect((await list('week')).map(({ id, days, age }) => [id, days, age])).toEqual([
    [ids[1], 0, 35],
    [ids[0], 2, 37],
  ])
  expect((await list('month')).map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2]])
})
