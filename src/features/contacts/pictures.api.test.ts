import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { signatureOf } from '#test/channels/sample/adapter.ts'
import { make } from '#test/make.ts'
import { startSampleGateway } from '#test/peers/sample-gateway.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { contacts } from './contract.ts'

const TOKEN = 'um-token-que-termina-em-1234'
const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
let gateway: Awaited<ReturnType<typeof startSampleGateway>>
let tenantId: number
let token: string
let webhookPath: string
beforeAll(async () => {
  gateway = await startSampleGateway(TOKEN)
  const m = make(product().platform)
  tenantId = await m.tenant()
  token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const config = { address: gateway.address, loft: 'retratos', token: TOKEN }
  const made = await call(product(), connections.create, token, {
    body: { type: 'sample', name: 'Pombal', config },
  })
  const { id, ...detail } = made.body
  webhookPath = detail.webhookPath!
  await call(product(), connections.start, token, { params: { id } })
})
afterAll(() => gateway.close())

const tell = async (events: readonly object[]) => {
  const body = JSON.stringify({
    events: events.map((event) => ({ id: randomUUID(), at: product().platform.now().getTime(), ...event })),
  })
  const headers = { 'x-signature': signatureOf(TOKEN, body) }
  expect((await fetch(product().address + webhookPath, { method: 'POST', headers, body })).status).toBe(200)
}
const asked = () => gateway.calls.filter(({ path }) => path === '/picture').map(({ body }) => body.identity!)
const db = () => product().platform.db
const longAgo = () =>
  db().write(tenantId, (tx) =>
    tx
      .updateTable('contact_identities')
      .set({ picture_asked_at: new Date(product().platform.now().getTime() - 3_600_000) })
      .execute(),
  )
/** Waits for a number of picture requests; messages of an unknown address trigger the next batch. */
const untilAsked = (n: number) =>
  until(async () => {
    if (asked().length < n) await tell([{ type: 'picture', of: 'ninguém' }])
    return asked().length >= n
  })

test('whoever is new is asked for, twenty within a minute, whoever hides it once, whoever looks otherwise again', async () => {
  const numbers = Array.from({ length: 25 }, (_, n) => `55119666600${10 + n}`)
  gateway.pictures.set(numbers[0]!, await pictureOf('#1040d0'))
  await tell(numbers.map((from) => ({ from, text: 'Oi' })))
  await untilAsked(20)
  const waiting = async () =>
    (
      await db().read(tenantId, (tx) =>
        tx.selectFrom('contact_identities').where('picture_due_at', 'is not', null).select('identity').execute(),
      )
    ).length
  await until(async () => (await waiting()) === 5)
  // More messages cause no further requests.
  await tell([{ from: '5511955550000', text: 'Oi' }])
  await until(async () => (await waiting()) === 6)
  expect(asked()).toHaveLength(20)
  await longAgo()
  await untilAsked(26)
  await until(async () => (await waiting()) === 0)
  expect(new Set(asked()).size).toBe(26)
  const found = await call(product(), contacts.byNumber, token, { params: { number: numbers[0]! } })
  expect(found.body.profilePicUrl).toContain('foto')

  // Repeated picture changes cause one request, not before the minute is over.
  await longAgo()
  for (let n = 0; n < 3; n++) await tell([{ type: 'picture', of: numbers[3]! }])
  await untilAsked(27)
  for (let n = 0; n < 3; n++) await tell([{ type: 'picture', of: numbers[3]! }])
  gateway.pictures.set('5511944440000', await pictureOf('#1040d0'))
  await tell([{ from: '5511944440000', text: 'Oi' }])
  await untilAsked(28)
  expect(asked().slice(26)).toEqual([numbers[3], '5511944440000'])

  // A file that cannot be displayed is not stored.
  gateway.pictures.set('5511933330000', Buffer.from('nada'))
  await tell([{ from: '5511933330000', text: 'Oi' }])
  await untilAsked(29)
  const hidden = await call(product(), contacts.byNumber, token, { params: { number: '5511933330000' } })
  expect(hidden.body).toMatchObject({ profilePicUrl: null })
})
