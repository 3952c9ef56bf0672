import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections } from '#features/connections/contract.ts'
import { recoverSends } from '#features/ledger/server/outbox/wake.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/queries.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/system-message.ts'
import { messages } from '#features/messages/contract.ts'
import { releaseDue } from '#features/schedules/server/release.ts'
import { tickets } from '#features/tickets/contract.ts'
import { writeToContacts } from '#features/tickets/server/begin/to-contacts.ts'
import { unit } from '#server/context.ts'
import { randomOf } from '#test/chaos/random.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import { call, ownProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SEED = 20_261
const CHANNELS = ['waba', 'instagram', 'messenger'] as const
type Channel = (typeof CHANNELS)[number]

// The clock is frozen during steps, and advances only between them.
let clock = Math.floor(Date.now() / 1000) * 1000
const product = ownProduct('passes months: of what others left much would become due', {
  now: () => new Date(clock),
  env: { OUTBOUND_ALLOW: ['127.0.0.1'] },
})
let meta: Awaited<ReturnType<typeof startMeta>>
let company: { tenantId: number; adminId: number; token: string }
let login: () => Promise<string>
const us = {} as Record<Channel, Awaited<ReturnType<typeof metaCompany>>>

beforeAll(async () => {
  meta = await startMeta(() => clock)
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const admin = await m.user(tenantId, { profile: 'admin' })
  login = () => m.token(admin)
  company = { tenantId, adminId: admin.id, token: await login() }
  await m.setting(tenantId, 'ratingStoreUse')
  for (const type of CHANNELS) {
    us[type] = await metaCompany(product(), meta, company, { type })
    const body = { farewellMessage: 'Até logo!' }
    await call(product(), connections.update, company.token, { params: { id: us[type].id }, body })
    await us[type].start()
  }
})
afterAll(() => meta.close())

/** Conversation whose contact has just written, in which any sender writes. */
type Case = { readonly channel: Channel; readonly key: string; readonly ticketId: number; readonly last: number }

async function begin(channel: Channel, n: number): Promise<Case> {
  const key = channel === 'waba' ? `55119${String(80_000_000 + n)}` : `77${n}`
  if (channel === 'waba') await meta.write({ number: key, name: 'Ana' }, { type: 'text', text: { body: 'Oi' } })
  else await meta.direct.write(channel === 'messenger' ? 'page' : 'instagram', { id: key, name: 'Ana' }, { text: 'Oi' })
  return { channel, key, ticketId: await us[channel].accept(key), last: clock }
}

async function pass(ms: number): Promise<void> {
  clock += ms
  company.token = await login()
}

type Sender = (of: Case) => Promise<unknown>
const system =
  (sendType: string): Sender =>
  ({ ticketId }) =>
    unit(product().platform, { tenantId: company.tenantId, user: null }, async (ctx) => {
      const ticket = (await lockLedgerTicket(ctx.db, ticketId))!
      await sendSystemMessages(ctx, [{ ticket, text: sendType, sendType }])
    })

/** Senders of free text; `human`: a person, marked as such. */
const senders: Readonly<Record<string, Sender>> = {
  agent: ({ channel, ticketId }) => us[channel].reply(ticketId, 'agente'),
  human: ({ channel, ticketId }) => us[channel].reply(ticketId, 'pessoa', { isHumanAgent: true }),
  api: ({ ticketId }) =>
    call(product(), messages.buttons, company.token, {
      body: { ticketId, body: 'api', buttons: [{ text: 'Sim' }], idFront: crypto.randomUUID() },
    }),
  bot: system('bot'),
  absence: system('absence'),
  birthday: ({ channel, key }) =>
    unit(product().platform, { tenantId: company.tenantId, user: null }, async (ctx) => {
      const { contact_id } = await ctx.db
        .selectFrom('tickets')
        .select('contact_id')
        .where('conversation_key', '=', key)
        .executeTakeFirstOrThrow()
      const to = { connectionId: us[channel].id, contactIds: [contact_id], file: null }
      await writeToContacts(ctx, { ...to, body: 'parabéns', sendType: 'birthday' })
    }),
  schedule: async ({ channel, ticketId }) => {
    const scheduleDate = new Date(clock + 5 * MINUTE).toISOString()
    const reply = await us[channel].reply(ticketId, 'agenda', { scheduleDate })
    if (reply.status === 200) await pass(5 * MINUTE)
    await releaseDue(product().platform, company.tenantId)
  },
  // Closing messages: the rating request, and the connection's farewell.
  closing: ({ ticketId }) =>
    call(product(), tickets.update, company.token, { params: { id: ticketId }, body: { status: 'closed' } } as never),
}

const ofOurs = (key: string) =>
  product().platform.db.read(company.tenantId, (db) =>
    db
      .selectFrom('messages')
      .select(['id', 'status', 'send_type', 'body', 'error_code'])
      .where('conversation_key', '=', key)
      .where('from_me', '=', true)
      .orderBy('seq')
      .execute(),
  )
const ends = (key: string) =>
  until(async () => (await ofOurs(key)).every(({ status }) => status === 'sent' || status === 'failed'))

/** Whether the first waiting message was tried, or none waits. */
const isTried = async (key: string) => {
  const [first] = (await ofOurs(key)).filter(({ status }) => status === 'pending' || status === 'queued')
  if (!first) return true
  const steps = await product().platform.db.read(company.tenantId, (db) =>
    db.selectFrom('message_trail').select('step').where('message_id', '=', first.id).execute(),
  )
  return first.status === 'pending' && steps.some(({ step }) => step === 'waiting')
}

/** Delays after the contact's message: within the window, around each end, and after it. */
const DELAYS = [
  0,
  MINUTE,
  60 * MINUTE,
  DAY / 2,
  DAY - 62_000,
  DAY - 58_000,
  DAY,
  2 * DAY,
  7 * DAY - 62_000,
  7 * DAY - 58_000,
  9 * DAY,
]
const WAITS = [0, 0, 0, 0, 90_000, 60 * MINUTE, DAY, 6 * DAY]

test('whoever sends, whenever, however long it waits: nothing free leaves outside of the window, nothing is held back within', async () => {
  const random = randomOf(SEED)
  const names = Object.keys(senders)
  let sent = 0
  let stopped = 0
  for (let n = 0; n < breadth(32, 160); n++) {
    const of = await begin(CHANNELS[n % 3]!, n)
    const name = names[Math.floor(n / 3) % names.length]!
    await pass(random.of(DELAYS) + random.between(0, 1) * 1000)
    const wait = random.of(WAITS)
    const { refusals } = of.channel === 'waba' ? meta.state : meta.direct.state
    // With a wait, the provider is busy at first.
    if (wait > 0) for (let k = 0; k < 2; k++) refusals.push({ code: 4 })
    await senders[name]!(of)
    // No rating request after a day without a message of the contact.
    const expected = clock - of.last <= DAY ? 2 : 1
    if (name === 'closing') await until(async () => (await ofOurs(of.key)).length === expected)
    if (wait > 0) {
      await until(() => isTried(of.key))
      refusals.length = 0
      await pass(wait)
      await recoverSends(product().platform, 0)
    }
    const about = `${n}: ${name} by ${of.channel}, ${clock - of.last} ms after, waited ${wait}`
    await ends(of.key)
    const all = await ofOurs(of.key)
    const days = name === 'human' && of.channel !== 'waba' ? 7 : 1
    const isOpen = clock - of.last < days * DAY - MINUTE
    // WhatsApp has no human agent messages.
    const isNever = name === 'human' && of.channel === 'waba'
    const statuses = new Set(all.map(({ status }) => status))
    if (isNever) expect([about, all]).toEqual([about, []])
    else if (isOpen) expect([about, [...statuses]]).toEqual([about, ['sent']])
    else if (all.some(({ status }) => status === 'sent'))
      expect([about, wait]).toEqual([about, 'only what was sent before it waited'])
    else for (const { error_code } of all) expect([about, error_code]).toEqual([about, 'ERR_WINDOW_CLOSED'])
    if (statuses.has('sent')) sent++
    else stopped++
  }
  expect([meta.outside, meta.direct.outside]).toEqual([[], []])
  // Both must happen, or the property would prove nothing.
  expect(Math.min(sent, stopped)).toBeGreaterThan(4)
}, 240_000)
