import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/contract.ts'
import { providerNumbers } from '#features/provider-numbers/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { META_ERRORS } from '#providers/channels/meta-errors.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LabFaults, type LabMessage, type LabPhone, lab } from './contract.ts'

const product = withProduct()
let tenantId: number
let us: { id: number; token: string }
let line = 2000

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  us = { id: admin.id, token: await m.token(admin) }
})

const ask = (operation: Parameters<typeof call>[1], input: object) => call(product(), operation, us.token, input)
const arm = (phone: LabPhone, body: Partial<LabFaults>) => ask(lab.setFaults, { params: { id: phone.id }, body })
const say = (phone: LabPhone, body: string, more: object = {}) =>
  ask(lab.send, { params: { id: phone.id }, body: { id: randomUUID(), body, ...more } })
const rows = (fromMe: boolean) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('messages').selectAll().where('from_me', '=', fromMe).orderBy('seq').execute(),
  )

/** Creates a phone on a channel whose conversation can be answered. */
async function talking(type: string) {
  const body = { name: 'Nádia Ferraz', number: `(19) 99812-${++line}`, type }
  const phone = (await ask(lab.create, { body })).body as LabPhone
  await say(phone, 'Oi')
  const ticket = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('tickets').selectAll().where('conversation_key', '=', phone.number).executeTakeFirst(),
    )
  await until(async () => (await ticket()) !== undefined)
  const { id } = (await ticket())!
  await ask(tickets.update, { params: { id }, body: { status: 'open', userId: us.id } })
  const reply = (more: object = { body: 'Olá' }) =>
    ask(messages.send, {
      params: { ticketId: id },
      body: { idFront: randomUUID(), isNote: false, ...more },
    })
  return { phone, id, reply, ticket }
}
const statusIs = (id: string, status: string) =>
  until(async () => (await rows(true)).find((one) => one.id === id)?.status === status)
const reasonOf = async (id: string) => {
  const steps = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('message_trail').select('detail').where('message_id', '=', id).orderBy('id').execute(),
  )
  return (steps.at(-1)!.detail as { reason?: string }).reason
}

test.each(['waba', 'instagram', 'messenger'])(
  '%s: the window closes, and opens when the phone writes again',
  async (type) => {
    const { phone, id, reply } = await talking(type)
    expect((await reply()).status).toBe(200)
    expect((await arm(phone, { windowClosed: true })).body).toMatchObject({ faults: { windowClosed: true } })
    expect(await reply()).toMatchObject({ status: 422, body: { error: 'ERR_WINDOW_CLOSED' } })
    const row = (await ask(tickets.get, { params: { id } })).body as TicketRow
    expect(row.windowUntil).toBeLessThan(Date.now())
    await say(phone, `Voltei por ${type}`)
    await until(async () => (await rows(false)).some(({ body }) => body === `Voltei por ${type}`))
    expect((await reply()).status).toBe(200)
    const { phones } = (await ask(lab.list, {})).body as { phones: LabPhone[] }
    expect(phones.find((one) => one.id === phone.id)!.faults.windowClosed).toBe(false)
  },
)

test('the next answer is refused with a code of the provider’s, in its words; one that is busy only waits', async () => {
  const { phone, reply } = await talking('waba')
  for (const code of [131_047, 131_049, 132_015]) {
    await arm(phone, { provider: String(code) })
    const { body } = await reply()
    await statusIs(body.messages[0]!.id, 'failed')
    expect(await reasonOf(body.messages[0]!.id)).toBe(META_ERRORS[code]!.text)
    const { id } = (await reply()).body.messages[0]!
    await until(async () => /sent|delivered/.test((await rows(true)).find((one) => one.id === id)!.status))
  }
  await arm(phone, { provider: '130429' })
  const { id } = (await reply()).body.messages[0]!
  await until(async () => (await reasonOf(id)) === META_ERRORS[130_429]!.text)
  expect((await rows(true)).find((one) => one.id === id)!.status).toBe('pending')
})

test('behind the window an approved template reaches the phone', async () => {
  const { phone, reply } = await talking('waba')
  await arm(phone, { windowClosed: true })
  const template = { name: 'retomada', language: 'pt_BR', values: { 1: 'Nádia' } }
  await until(async () => (await reply({ template })).status === 200)
  const seen = async () =>
    ((await ask(lab.messages, { params: { id: phone.id } })).body as { messages: LabMessage[] }).messages
  await until(async () => (await seen()).some(({ body }) => body === 'Olá Nádia, podemos continuar a nossa conversa?'))
})

test('190 stops the connection', async () => {
  const { phone, reply } = await talking('instagram')
  await arm(phone, { provider: '190' })
  await reply()
  await until(
    async () =>
      (
        await product().platform.db.read(tenantId, (db) =>
          db.selectFrom('connections').select('cause').where('id', '=', phone.connectionId).executeTakeFirstOrThrow(),
        )
      ).cause === 'token',
  )
})

test('ticks come the wrong way round and end right; a file has expired; who hides their number is known by an id', async () => {
  const { phone, reply } = await talking('messenger')
  await arm(phone, { reorderedReceipts: true })
  const { id } = (await reply()).body.messages[0]!
  await statusIs(id, 'read')
  expect(await arm(phone, { hidden: true })).toMatchObject({ status: 400 })
  await arm(phone, { expiredFile: true })
  const form = new FormData()
  form.append('id', randomUUID())
  form.append('file', new Blob(['conteúdo'], { type: 'text/plain' }), 'nota.txt')
  const headers = { authorization: `Bearer ${us.token}` }
  await fetch(`${product().address}/api/lab/phones/${phone.id}/messages`, { method: 'POST', headers, body: form })
  await until(async () => (await rows(false)).some(({ data }) => data !== null && 'remote' in (data as object)))
  const official = await talking('waba')
  await arm(official.phone, { hidden: true })
  await say(official.phone, 'Sem número')
  await until(async () => (await rows(false)).some(({ conversation_key: key }) => key.startsWith('BR.')))
  const hidden = (await rows(false)).find(({ conversation_key: key }) => key.startsWith('BR.'))!
  await ask(tickets.update, { params: { id: hidden.ticket_id }, body: { status: 'open', userId: us.id } })
  const answer = await ask(messages.send, {
    params: { ticketId: hidden.ticket_id },
    body: { idFront: randomUUID(), isNote: false, body: 'Oi, você' },
  })
  expect(answer.status).toBe(200)
  const seen = async () =>
    ((await ask(lab.messages, { params: { id: official.phone.id } })).body as { messages: LabMessage[] }).messages
  await until(async () => (await seen()).some(({ body }) => body === 'Oi, você'))
})

test('a quality that falls is noted as a fall, and comes back', async () => {
  const { phone } = await talking('waba')
  const changes = async () =>
    ((await ask(providerNumbers.changes, { params: { id: phone.connectionId } })).body as { changes: object[] }).changes
  await arm(phone, { lowQuality: true })
  expect((await changes())[0]).toMatchObject({ what: 'quality', before: 'GREEN', after: 'RED', isFall: true })
  await arm(phone, { lowQuality: false })
  expect((await changes())[0]).toMatchObject({ what: 'quality', before: 'RED', after: 'GREEN', isFall: false })
})
