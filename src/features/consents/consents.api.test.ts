import { beforeAll, describe, expect, it } from 'vitest'
import { lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { sendSystemMessages } from '#features/ledger/server/writing/index.ts'
import { settings as settingsContract } from '#features/settings/contract.ts'
import { unit } from '#server/context.ts'
import { conversations } from '#test/flow-talk.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { consents } from './contract.ts'
import { consentGate, mayBeAsked, revokedAmong, takeOptOuts } from './server/index.ts'

const product = withProduct()
const m = () => make(product().platform)
let tenantId: number
let connectionId: number
let admin: string
beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  admin = await m().token(await m().user(tenantId, { profile: 'admin' }))
  connectionId = await m().connection(tenantId, { type: 'test' })
})

const { write, ticketOf, saidTo } = conversations(product, () => ({ tenantId, connectionId }))
const listOf = async (contactId: number, token = admin) => {
  const { status, body } = await call(product(), consents.list, token, { query: { contactId } })
  return { status, ...body }
}
const record = (body: object, token = admin) => call(product(), consents.create, token, { body } as never)
const sends = async (from: string, text: string, sendType: string) => {
  const { id } = await ticketOf(from)
  await unit(product().platform, { tenantId, user: null }, async (ctx) => {
    const [ticket] = await lockLedgerTickets(ctx.db, [id])
    await sendSystemMessages(ctx, [{ ticket: ticket!, text, sendType }])
  })
  const left = () =>
    product().platform.db.read(tenantId, (db) =>
      db
        .selectFrom('messages')
        .select(['status', 'error_code'])
        .where('body', '=', text)
        .where('status', 'not in', ['pending', 'queued'])
        .executeTakeFirst(),
    )
  await until(async () => (await left()) !== undefined)
  return (await left())!
}

it('of a contact that was merged into another is that one’s too', async () => {
  const into = await m().contact(tenantId, { number: '5511960001901' })
  const merged = await m().contact(tenantId, { number: '5511960001902' })
  await record({ contactId: merged, purpose: 'marketing', state: 'revoked', source: 'agent', note: 'por telefone' })
  const stateOf = async () => (await listOf(into)).states.marketing
  expect(await stateOf()).toBe('unknown')
  await product().platform.db.asPlatform((db) =>
    db.updateTable('contacts').set({ merged_into: into }).where('id', '=', merged).execute(),
  )
  expect(await stateOf()).toBe('revoked')
})

describe('an opt-out', () => {
  const from = '5511960001001'

  it('ends marketing on every address, once confirmed; a person and what is no marketing still reach', async () => {
    await write(from, 'Oi', 'sair', ' SAIR. ')
    const { contact_id: contactId } = await ticketOf(from)
    const { consents: records, states } = await listOf(contactId)
    expect(states).toEqual({ marketing: 'revoked', utility: 'unknown' })
    expect(new Set(records.map(({ state, source, note }) => `${state} ${source} ${note}`))).toEqual(
      new Set(['revoked conversation sair']),
    )
    expect((await saidTo(from)).filter((text) => text.includes('não receberá mais campanhas'))).toHaveLength(1)
    expect(await sends(from, 'Mesa nova', 'campaign')).toEqual({ status: 'failed', error_code: 'ERR_OPTED_OUT' })
    expect(await sends(from, 'Feliz aniversário', 'birthday')).toMatchObject({ error_code: 'ERR_OPTED_OUT' })
    expect((await sends(from, 'Voltamos às 8h', 'absence')).status).not.toBe('failed')
  })

  it('keeps marketing templates of flows, schedules and programs here; a person may send one', async () => {
    const { id: ticketId, contact_id: contactId } = await ticketOf(from)
    const times = { created_at: new Date(), updated_at: new Date() }
    const template = (name: string, category: string) =>
      m().insert('message_templates', tenantId, {
        ...{ connection_id: connectionId, provider_id: name, name, language: 'pt_BR', category, status: 'APPROVED' },
        ...{ content: '{}', ...times },
      })
    await template('oferta', 'MARKETING')
    await template('pedido', 'UTILITY')
    const refused = async (name: string, sendType: string) => {
      const id = crypto.randomUUID()
      await product().platform.db.write(tenantId, (db) =>
        db
          .insertInto('messages')
          .values({
            ...{ tenant_id: tenantId, id, ticket_id: ticketId, contact_id: contactId, connection_id: connectionId },
            ...{ conversation_key: from, from_me: true, body: name, media_type: 'template', status: 'sent' },
            ...{ send_type: sendType, timestamp: new Date() },
            data: JSON.stringify({ template: { name, language: 'pt_BR' } }),
          })
          .execute(),
      )
      const message = { id, isTemplate: true, isAutomatic: true, sendType }
      return product().platform.db.read(tenantId, (db) =>
        consentGate(db, 'test', { connectionId, conversationKey: from }, message),
      )
    }
    expect(await refused('oferta', 'bot')).toBe(true)
    expect(await refused('oferta', 'schedule')).toBe(true)
    expect(await refused('oferta', 'chat')).toBe(false)
    expect(await refused('pedido', 'bot')).toBe(false)
  })

  it('is told so once, whatever they said it on; a word within others ends nothing', async () => {
    const number = '5519998124499'
    const line = async (conversation_key: string, type = 'sms') => {
      const connection_id = await m().connection(tenantId, { type })
      return m().ticket(tenantId, { connection_id, conversation_key, channel: type, status: 'open' })
    }
    const tickets = [await line(number), await line(number), await line('551998124499', 'test')]
    const take = (texts: readonly string[]) =>
      unit(product().platform, { tenantId, user: null }, (ctx) =>
        takeOptOuts.run(
          ctx,
          texts.map((text, n) => ({
            ...{ ticketId: tickets[n]!, text, fromMe: false, isNote: false, isLate: false, isClosed: false },
            ...{ isGroup: false, userId: null, queueId: null, chatFlowId: null, connectionId: 0, isFirst: false },
          })),
          { id: 'x', depth: 0 },
        ),
      )
    expect(await take(['Vou sair já', 'Parar aqui?'])).toEqual({})
    const { messages, attends } = await take(['SAIR', 'parar!', 'Oi'])
    expect(messages).toMatchObject([{ sendType: 'opt-out' }])
    expect(attends).toEqual(new Set(tickets.slice(0, 2)))
    expect(await take(['Oi', 'SAIR'])).toMatchObject({ messages: [] })
  })

  it('is obeyed for a contact who comes again with the number spelled otherwise', async () => {
    const again = await m().contact(tenantId, { number: '551160001001' })
    const revoked = await product().platform.db.read(tenantId, (db) => revokedAmong(db, 'marketing', [again]))
    expect([...revoked]).toEqual([again])
  })

  it('of the company’s own counts too', async () => {
    await call(product(), settingsContract.set, admin, {
      params: { key: 'optOutWords' },
      body: { value: 'Não quero' },
    } as never)
    const other = '5511960001002'
    await write(other, 'nao quero!')
    expect((await listOf((await ticketOf(other)).contact_id)).states).toMatchObject({ marketing: 'revoked' })
  })
})

describe('a record', () => {
  it('is added, never changed: the newest counts, for every address', async () => {
    const contactId = await m().contact(tenantId, { number: '5511960001003', email: 'ana@loja.test' })
    const about = { contactId, purpose: 'marketing', note: 'pediu por telefone' }
    expect((await record({ ...about, state: 'revoked' })).body).toEqual({
      states: { marketing: 'revoked', utility: 'unknown' },
    })
    expect((await record({ ...about, state: 'granted', source: 'api' })).body).toEqual({
      states: { marketing: 'granted', utility: 'unknown' },
    })
    expect((await listOf(contactId)).consents).toHaveLength(4)
  })

  it('needs an address and a contact that the person sees', async () => {
    const nobody = await m().contact(tenantId, { number: null, email: '' })
    const about = { purpose: 'marketing', state: 'granted' }
    expect((await record({ ...about, contactId: nobody })).body).toMatchObject({ error: 'ERR_CONTACT_WITHOUT_ADDRESS' })
    const elsewhere = await m().tenant()
    const foreign = await m().contact(elsewhere, { number: '5511960001004' })
    expect((await record({ ...about, contactId: foreign })).status).toBe(404)
    expect((await listOf(foreign)).status).toBe(404)
  })

  it('lets ask who agreed or wrote within 24 months', async () => {
    const silent = await m().contact(tenantId, { number: '5511960001005' })
    const agreed = await m().contact(tenantId, { number: '5511960001006' })
    await record({ contactId: agreed, purpose: 'marketing', state: 'granted' })
    await write('5511960001007', 'Oi')
    const wrote = (await ticketOf('5511960001007')).contact_id
    const ids = [silent, agreed, wrote]
    const asked = (now: Date) => product().platform.db.read(tenantId, (db) => mayBeAsked(db, ids, now))
    expect([...(await asked(new Date()))]).toEqual([agreed, wrote])
    expect([...(await asked(new Date(Date.now() + 800 * 86_400_000)))]).toEqual([agreed])
  })

  it('is exported', async () => {
    const { status, body } = await call(product(), consents.export, admin, {})
    expect(status).toBe(200)
    expect(String(body)).toContain('marketing')
  })
})
