import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { crossing } from '#test/crossing.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { META_ERRORS } from '../meta-errors.ts'

const HOUR = 3_600_000
const ana = { number: '5511988887777', name: 'Ana' }
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const product = withProduct({ now })
let meta: Awaited<ReturnType<typeof startMeta>>
let us: Awaited<ReturnType<typeof metaCompany>>
let company: { tenantId: number; adminId: number; token: string }
let login: () => Promise<string>
let ticketId: number
let first: number

beforeAll(async () => {
  meta = await startMeta(() => now().getTime())
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  login = () => m.token(admin)
  company = { tenantId, adminId: admin.id, token: await login() }
  us = await metaCompany(product(), meta, company)
  await us.start()
  await meta.write(ana, { type: 'text', text: { body: 'Olá' } }, 'wamid.primeira')
  ticketId = await us.accept(ana.number)
})
afterAll(() => meta.close())

async function passes(ms: number): Promise<void> {
  ahead = ms
  company.token = await login()
}
const rows = async () =>
  ((await call(product(), tickets.list, company.token, { query: {} })).body as { tickets: TicketRow[] }).tickets
const known = (providerId: string) =>
  product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('messages').select('id').where('provider_id', '=', providerId).executeTakeFirst(),
  )

test('list, ticket and answer tell until when one may write, also where an earlier ticket has the contact’s last word', async () => {
  const closes = meta.lastInbound.get(ana.number)! + 24 * HOUR - 60_000
  const params = { id: ticketId }
  expect(await rows()).toMatchObject([{ id: ticketId, windowUntil: closes }])
  const one = await call(product(), tickets.get, company.token, { params })
  expect(one.body).toMatchObject({ windowUntil: closes })
  await call(product(), tickets.update, company.token, { params, body: { status: 'closed' } })
  const { contactId } = one.body as TicketRow
  const body = { contactId, whatsappId: us.id }
  const next = (await call(product(), tickets.create, company.token, { body } as never)).body as TicketRow
  expect(next).toMatchObject({ windowUntil: closes, lastMessageReceived: null })
  const { body: answer } = await us.reply(next.id, 'Voltei')
  expect(answer).toMatchObject({ ticket: { windowUntil: closes } })
  await until(async () => (await us.messageOf(answer.messages[0]!.id)).status === 'sent')
  ;[first, ticketId] = [ticketId, next.id]
})

test('behind the window nobody answers, reacts or passes on, and nothing is left of the attempt', async () => {
  const { id: messageId } = (await known('wamid.primeira'))!
  const { contactId } = (await rows())[0]!
  await passes(24 * HOUR)
  const closed = { status: 422, body: { error: 'ERR_WINDOW_CLOSED' } }
  expect(await us.reply(ticketId, 'Oi')).toMatchObject(closed)
  const reaction = { messageId, ticketId: first, reaction: '👍' }
  expect(await call(product(), messages.react, company.token, { body: reaction } as never)).toMatchObject(closed)
  const list = { button: 'Ver', sections: [{ rows: [{ title: 'Esta' }] }] }
  for (const asked of [
    { buttons: [{ text: 'Sim' }] },
    { type: 'list', list },
    { type: 'cta_url', link: { text: 'Abrir', url: 'https://loja.example' } },
    { type: 'form', form: { text: 'Abrir', formId: '1' } },
    { type: 'location_request' },
  ])
    expect(
      await call(product(), messages.buttons, company.token, { body: { ticketId, body: 'Qual?', ...asked } } as never),
      JSON.stringify(asked),
    ).toMatchObject(closed)
  const forward = { messages: [messageId], contact: contactId }
  expect(await call(product(), messages.forward, company.token, { body: forward } as never)).toMatchObject(closed)
  const left = await product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('messages').select('body').where('from_me', '=', true).execute(),
  )
  expect(left).toEqual([{ body: 'Voltei' }])
})

test('a company that wants the attempt made sees Meta’s own answer', async () => {
  await make(product().platform).setting(company.tenantId, 'forceOpenChatWindow')
  const { body } = await us.reply(ticketId, 'Mesmo assim')
  const [{ id }] = body.messages as [{ id: string }]
  await until(async () => (await us.messageOf(id)).status === 'failed')
  expect(await us.reasonOf(id)).toBe(META_ERRORS[131047]!.text)
  expect(meta.outside).toHaveLength(1)
})

test('of several tickets of a conversation the contact’s last word counts', async () => {
  await make(product().platform).setting(company.tenantId, 'forceOpenChatWindow', 'disabled')
  await passes(20 * HOUR)
  await meta.write(ana, { type: 'text', text: { body: 'Ainda aí?' } }, 'wamid.segunda')
  await until(async () => (await known('wamid.segunda')) !== undefined)
  await passes(30 * HOUR)
  const { status, body } = await us.reply(ticketId, 'Estou')
  expect(status).toBe(200)
  await until(async () => (await us.messageOf(body.messages[0]!.id)).status === 'sent')
})

test('who waited for a ticket tells until when one may write as it is now, not as it was', async () => {
  await meta.write(ana, { type: 'text', text: { body: 'E agora?' } }, 'wamid.terceira')
  await until(async () => (await known('wamid.terceira')) !== undefined)
  const { id: messageId } = (await known('wamid.terceira'))!
  const { lastSeq } = (await call(product(), messages.changes, company.token)).body as { lastSeq: number }
  const at = now().getTime() - 25 * HOUR
  const dated = 'update tickets set last_message_received_at = to_timestamp($2 / 1000.0) where id = $1'
  await crossing(product().ownerUrl, [[dated, [ticketId, at]]], () =>
    call(product(), tickets.read, company.token, { params: { id: ticketId }, body: { messageId } }),
  )
  const { body } = await call(product(), messages.changes, company.token, { query: { after: lastSeq } })
  const told = (body as { changes: { payload: Partial<TicketRow> }[] }).changes.flatMap(
    ({ payload: { windowUntil } }) => (windowUntil === undefined ? [] : windowUntil),
  )
  expect(told).toEqual([at + 24 * HOUR - 60_000])
})
