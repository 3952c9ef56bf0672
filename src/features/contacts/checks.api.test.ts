import { afterAll, beforeAll, expect, test } from 'vitest'
import { contactChecks } from '#features/connections/contact-checks-contract.ts'
import { connections } from '#features/connections/contract.ts'
import { make } from '#test/make.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { contacts } from './contract.ts'

const TOKEN = 'um-token-que-termina-em-1234'
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
const m = () => make(product().platform)
let gateway: Awaited<ReturnType<typeof startSampleGateway>>
let tenantId: number
let token: string
beforeAll(async () => {
  gateway = await startSampleGateway(TOKEN)
  tenantId = await m().tenant()
  token = await m().token(await m().user(tenantId, { profile: 'admin' }))
})
afterAll(() => gateway.close())

const check = (body: object = {}) => call(product(), contactChecks.checkAll, token, { body })
const asked = () => gateway.calls.filter(({ path }) => path === '/check').map(({ body }) => body.number)
const shown = async (id: number) => (await call(product(), contacts.get, token, { params: { id } })).body.isWAContact

test('numbers are asked for twenty at a time, kept with their contacts, and not again within a day', async () => {
  await m().connection(tenantId, { type: 'sms', status: 'CONNECTED' })
  expect((await check()).body).toMatchObject({ error: 'ERR_CHANNEL_CANNOT' })
  const config = { address: gateway.address, loft: 'validador', token: TOKEN }
  const made = await call(product(), connections.create, token, {
    body: { type: 'sample', name: 'Pombal', config },
  })
  const { id } = made.body
  expect((await check()).body).toMatchObject({ error: 'ERR_WAPP_NOT_INITIALIZED' })
  expect((await check({ whatsappId: 999_999_999 })).body).toMatchObject({ error: 'ERR_NO_WAPP_FOUND' })
  await call(product(), connections.start, token, { params: { id }, body: {} })

  const reached = await m().contact(tenantId, { number: '5511977770000' })
  gateway.reached.add('5511977770000')
  const ids: number[] = []
  for (let n = 1; n <= 21; n++) ids.push(await m().contact(tenantId, { number: `55119777700${10 + n}` }))
  expect((await check()).body).toEqual({ message: 'ok', total: 22 })
  await until(async () => (await shown(ids[18]!)) === false)
  expect(await shown(reached)).toBe(true)
  expect(await shown(ids[20]!)).toBeNull()
  // The next batch waits for a minute; a new request meanwhile restarts with it.
  expect(asked()).toHaveLength(20)
  const replies = await Promise.all(Array.from({ length: 20 }, () => check()))
  expect(replies.map(({ status, body }) => [status, body])).toEqual(
    Array(20).fill([200, { message: 'ok', total: expect.toBeOneOf([0, 1, 2]) }]),
  )
  await until(async () => (await shown(ids[20]!)) === false)
  expect(new Set(asked()).size).toBe(22)
})

test('pictures of a connection’s contacts are forgotten, and of no others', async () => {
  const platform = product().platform
  const own = await m().connection(tenantId, { type: 'lab' })
  const other = await m().connection(tenantId, { type: 'lab' })
  const ids: number[] = []
  for (const connectionId of [own, other]) {
    const contactId = await m().contact(tenantId)
    await m().ticket(tenantId, { connection_id: connectionId, contact_id: contactId })
    ids.push(contactId)
  }
  await platform.db.write(tenantId, async (db) => {
    const file = crypto.randomUUID()
    await db
      .insertInto('files')
      .values({
        tenant_id: tenantId,
        id: file,
        name: 'foto.jpg',
        mime: 'image/jpeg',
        size: 1,
        sha256: 'x',
        path: 'x',
      })
      .execute()
    await db.updateTable('contacts').set({ profile_pic_file: file }).where('id', 'in', ids).execute()
  })
  const reply = await call(product(), contactChecks.removePictures, token, { params: { id: own } })
  expect(reply.body).toEqual({ message: 'ok', removed: 1 })
  const rows = await platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select('profile_pic_file').where('id', 'in', ids).orderBy('id').execute(),
  )
  expect(rows.map((row) => row.profile_pic_file !== null)).toEqual([false, true])
})
