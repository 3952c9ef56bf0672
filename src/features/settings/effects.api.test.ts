import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { setOwner } from '#features/tenants/server/index.ts'
import { tickets } from '#features/tickets/contract.ts'
import { closeQuiet } from '#features/tickets/server/closing/auto-close.ts'
import { type SettingKey, settingEntries } from '#kit/settings.ts'
import { make } from '#test/make.ts'
import { type TestChannel, testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { settings } from './contract.ts'

const now = new Date('2026-11-20T13:00:00Z')
const product = withProduct({ now: () => now })
let channel: TestChannel | undefined

beforeEach(() => {
  channel ??= testChannel(product().platform)
})

const root = new URL('../../../', import.meta.url)
const sources = globSync(['src/**/*.{ts,tsx}', 'test/features/**/*.ts'], { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file) && !file.endsWith('/settings.ts'))
  .map((file) => readFileSync(new URL(file, root), 'utf8'))

test.each(settingEntries().map(([key]) => key))('%s is read somewhere: a setting has an effect', (key) => {
  const reads = [
    // Read one by one, by this table.
    new RegExp(`SETTING_EVENTS: [^\\n]+\\{[^}]*\\b${key}: `),
    new RegExp(`\\b(isOn|isSettingOn)\\([^()]*'${key}'\\)`),
    new RegExp(`\\bvalues\\.${key}\\b`),
    new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\} = (\\w+\\.)*settings\\.values`),
  ]
  expect(sources.some((text) => reads.some((read) => read.test(text)))).toBe(true)
})

async function company() {
  const { platform } = product()
  const m = make(platform)
  const tenantId = await m.tenant()
  const admin = await m.person(tenantId, { profile: 'admin', name: 'Adele' })
  const ana = await m.person(tenantId, { profile: 'user', name: 'Ana' })
  const connectionId = await m.connection(tenantId, { type: 'test' })
  const set = async (key: SettingKey, value: string) => {
    const reply = await call(product(), settings.set, admin.token, { params: { key }, body: { value } })
    expect(reply.status).toBe(200)
  }
  const hear = async (...events: Parameters<typeof receive>[2]) => {
    await receive(platform, { tenantId, connectionId }, events)
    await ingestIdle(platform)
  }
  const rows = () => platform.db.read(tenantId, (db) => db.selectFrom('tickets').selectAll().orderBy('id').execute())
  const ticket = (row: Parameters<typeof m.ticket>[1] = {}) =>
    m.ticket(tenantId, { connection_id: connectionId, user_id: ana.id, ...row })
  return { m, platform, tenantId, admin, ana, connectionId, set, hear, rows, ticket }
}
let numbers = 5541_900_000_000
const someone = () => String(++numbers)
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

describe('what arrives', () => {
  it('of groups is dropped while groups are ignored', async () => {
    const { hear, set, rows } = await company()
    const group = () => ({ ...textEvent({ from: someone(), body: 'Pessoal!' }), isGroup: true })
    await set('ignoreGroupMsg', 'enabled')
    await hear(group())
    expect(await rows()).toEqual([])
    await set('ignoreGroupMsg', 'disabled')
    await hear(group())
    expect(await rows()).toHaveLength(1)
  })

  it('of a forbidden number leaves neither ticket nor contact, others come through', async () => {
    const { hear, set, rows, platform, tenantId } = await company()
    await set('forbiddenNumbers', '+55 (31) 99876-5432\n551133334444')
    await hear(textEvent({ from: '553198765432', body: 'Promoção' }), textEvent({ from: someone(), body: 'Oi' }))
    expect(await rows()).toHaveLength(1)
    const contacts = await platform.db.read(tenantId, (db) => db.selectFrom('contacts').select('number').execute())
    expect(contacts).toHaveLength(1)
  })

  it('for the owner of a wallet who is away waits for everybody, where it is to overflow', async () => {
    const { hear, set, rows, m, tenantId, ana, platform } = await company()
    await set('DirectTicketsToWallets', 'enabled')
    const arrive = async () => {
      const number = someone()
      const contactId = await m.contact(tenantId, { number })
      await platform.db.write(tenantId, (db) =>
        db
          .insertInto('contact_wallets')
          .values({ tenant_id: tenantId, contact_id: contactId, user_id: ana.id })
          .execute(),
      )
      await hear(textEvent({ from: number, body: 'Oi' }))
      return (await rows()).at(-1)
    }
    expect(await arrive()).toMatchObject({ status: 'open', user_id: ana.id })
    await set('serviceTransfer', 'enabled')
    expect(await arrive()).toMatchObject({ status: 'pending', user_id: null })
  })
})

describe('quiet conversations', () => {
  it('are resolved after their time, with the closing words; who waits for us, groups and later ones stay', async () => {
    const { set, ticket, rows, platform, tenantId } = await company()
    const from = someone()
    const quiet = await ticket({ conversation_key: from, last_message_at: ago(61), answered: true })
    const kept = [
      await ticket({ last_message_at: ago(61), waiting_since: ago(61) }),
      await ticket({ last_message_at: ago(61), is_group: true }),
      await ticket({ last_message_at: ago(59) }),
    ]
    await set('autoCloseTime', '60')
    await set('autoCloseMessage', 'Até logo, {{name}}!')
    await closeQuiet(platform)
    expect((await rows()).every((row) => row.status === 'open')).toBe(true)
    await set('autoClose', 'enabled')
    await Promise.all([closeQuiet(platform), closeQuiet(platform)])
    const status = Object.fromEntries((await rows()).map((row) => [row.id, row.status]))
    expect(status[quiet]).toBe('closed')
    expect(kept.map((id) => status[id])).toEqual(['open', 'open', 'open'])
    await until(() => channel!.sent.some((message) => message.conversationKey === from))
    const words = channel!.sent.filter((message) => message.conversationKey === from)
    expect(words.map(({ body }) => body)).toEqual([expect.stringMatching(/^Até logo, Contato \d+!$/)])
    const logs = await platform.db.read(tenantId, (db) =>
      db.selectFrom('ticket_logs').select(['type', 'user_id']).where('ticket_id', '=', quiet).execute(),
    )
    expect(logs).toEqual([{ type: 'autoClose', user_id: null }])
  })
})

describe('tickets', () => {
  it('that go back to the queue are the owner’s where pending ones are an administrator’s', async () => {
    const { set, ticket, admin, ana, platform, tenantId } = await company()
    await platform.db.asPlatform((db) => setOwner(db, tenantId, admin.id))
    platform.bus.stale(`settings ${tenantId}`)
    await set('forceAdmin', 'enabled')
    const id = await ticket()
    const reply = await call(product(), tickets.update, ana.token, {
      params: { id },
      body: { status: 'pending', userId: null },
    })
    expect([reply.status, reply.body]).toMatchObject([200, { status: 'pending', userId: admin.id }])
  })

  it('are not forced by users where that is restricted, by admins they are', async () => {
    const { set, ticket, admin, ana } = await company()
    const force = async (token: string) =>
      (await call(product(), tickets.force, token, { params: { id: await ticket() }, body: { status: 'closed' } }))
        .status
    expect(await force(ana.token)).toBe(200)
    await set('controlFeatures', 'enabled')
    expect([await force(ana.token), await force(admin.token)]).toEqual([403, 200])
  })

  it('that have not changed for long leave the list and its counts, and are found by a search', async () => {
    const { set, ticket, ana, m, tenantId } = await company()
    const contact_id = await m.contact(tenantId, { name: 'Zulmira Antiga' })
    const old = await ticket({ contact_id, updated_at: ago(8 * 1440) })
    const recent = await ticket({ updated_at: ago(6 * 1440) })
    const list = async (query: object = {}) =>
      (await call(product(), tickets.list, ana.token, { query: { count: true, ...query } })).body
    expect((await list()).count).toBe(2)
    await set('ticketLimitDaysAgo', '7')
    expect((await list()).count).toBe(2)
    await set('ticketLimit', 'enabled')
    expect(await list()).toMatchObject({ count: 1, tickets: [{ id: recent }] })
    expect(await list({ searchParam: 'Zulmira' })).toMatchObject({ count: 1, tickets: [{ id: old }] })
  })

  it('come in pages of the size that is set, none twice', async () => {
    const { set, ticket, ana } = await company()
    for (let n = 0; n < 12; n++) await ticket()
    await set('ticketPage', '10')
    const page = async (query: object) => (await call(product(), tickets.list, ana.token, { query })).body
    const first = await page({})
    const second = await page({ cursor: first.nextCursor })
    expect([first.tickets.length, second.tickets.length, second.nextCursor]).toEqual([10, 2, null])
    expect((await page({ pageNumber: 2 })).tickets).toEqual(second.tickets)
    expect(new Set([...first.tickets, ...second.tickets].map(({ id }) => id)).size).toBe(12)
  })
})

describe('a signature', () => {
  it('is put before a user’s words where it may not be left out, once, and not before notes or an admin’s', async () => {
    const { set, ticket, ana, admin } = await company()
    const id = await ticket()
    let front = 0
    const say = async (token: string, body: string, isNote = false) =>
      (
        await call(product(), messages.send, token, {
          params: { ticketId: id },
          body: { idFront: `frente-${id}-${++front}`, body, isNote },
        })
      ).body.messages[0]?.body
    expect(await say(ana.token, 'Oi')).toBe('Oi')
    await set('signed', 'enabled')
    expect(await say(ana.token, 'Oi')).toBe('*Ana*:\nOi')
    expect(await say(ana.token, '*Ana*:\nOi')).toBe('*Ana*:\nOi')
    expect(await say(ana.token, 'só nós', true)).toBe('só nós')
    expect(await say(admin.token, 'Oi')).toBe('Oi')
  })
})
