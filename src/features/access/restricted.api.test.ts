import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { contacts } from '#features/contacts/contract.ts'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { type Envelope, type Who, withCompany } from '#test/company.ts'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'

const product = withProduct()
const m = () => make(product().platform)
const company = withCompany(product)
const { someone, change, listen } = company

describe('a restricted user', () => {
  const secret = {
    name: 'Marlene Duarte Sigilosa',
    number: '5519998124407',
    email: 'marlene@sigilo.dev',
    cpf: '52998224725',
    business_name: 'Padaria Sigilosa',
  }
  const hidden = [...Object.values(secret), 'ne Duarte', '99812-4407']
  const leaks = (value: unknown) => hidden.filter((text) => JSON.stringify(value ?? null).includes(text))
  let agent: Who
  let free: Who
  let contactId: number
  let ticketId: number
  let queueId: number
  const find = async (who: Who, searchParam: string) => {
    const query = { searchParam, status: ['open', 'pending', 'closed'] as const }
    const reply = await call(product(), tickets.list, who.token, { query: { ...query, status: [...query.status] } })
    return reply.body.tickets.map(({ id }) => id)
  }

  beforeAll(async () => {
    queueId = await m().queue(company.tenantId)
    agent = await someone('user', [queueId])
    free = await someone('user', [queueId])
    contactId = await m().contact(company.tenantId, secret)
    ticketId = await m().ticket(company.tenantId, {
      contact_id: contactId,
      connection_id: company.connectionId,
      conversation_key: secret.number,
      channel: 'test',
      queue_id: queueId,
      user_id: agent.id,
    })
    await change(agent, { restrictedUser: true })
  })

  it('reads five letters of a name and no number, e-mail, document, company or picture', async () => {
    const { body } = await call(product(), tickets.get, agent.token, { params: { id: ticketId } })
    const { name, profilePicUrl, contact, contactDetail } = body
    expect({ name, profilePicUrl, contact, contactDetail }).toMatchObject({
      name: 'Marle…',
      profilePicUrl: null,
      contact: { id: contactId, name: 'Marle…', number: '•••••••', profilePicUrl: null },
      contactDetail: { email: '•••••••', cpf: '•••••••', businessName: '•••••••', extraInfo: [] },
    })
    expect(leaks(body)).toEqual([])
    const other = await call(product(), tickets.get, free.token, { params: { id: ticketId } })
    expect(leaks(other.body)).toEqual(expect.arrayContaining(Object.values(secret)))
  })

  it('finds by what may be read: five letters of the name and the number of the ticket, nothing that is hidden', async () => {
    for (const asked of ['Marle', 'marle', 'Marle…', 'M', String(ticketId)])
      expect([asked, await find(agent, asked)]).toEqual([asked, [ticketId]])
    for (const asked of [
      'arle',
      'Marlene',
      'Duarte',
      'ne Du',
      '99812',
      secret.number,
      secret.email,
      'sigil',
      '52998',
      'Padaria',
    ])
      expect([asked, await find(agent, asked)]).toEqual([asked, []])
    for (const asked of ['Duarte', '99812', 'sigil']) expect(await find(company.admin, asked)).toEqual([ticketId])
  })

  it('finds the same where very many contacts meet the search', async () => {
    const company = await m().tenant()
    const boss = await m().user(company, { profile: 'admin' })
    const channel = await m().connection(company)
    await product().platform.db.asPlatform(async (db) => {
      const rows = Array.from({ length: 320 }, (_, n) => ({
        tenant_id: company,
        name: `Abcde ${n}`,
        email: `abcde${n}@x.dev`,
      }))
      await db.insertInto('contacts').values(rows).execute()
      await db.updateTable('users').set({ restricted_user: true }).where('id', '=', boss.id).execute()
    })
    product().platform.actors.delete(`${company}:${boss.id}`)
    const shown = await m().contact(company, { name: 'Abcde Silva' })
    const ours = await m().ticket(company, { contact_id: shown, connection_id: channel })
    await m().ticket(company, {
      connection_id: channel,
      contact_id: await m().contact(company, { name: 'Zé', email: 'abcde@x.dev' }),
    })
    const reply = await call(product(), tickets.list, await m().token(boss), { query: { searchParam: 'abcde' } })
    expect(reply.body.tickets.map(({ id }) => id)).toEqual([ours])
  })

  it('does not begin conversations, and is told of one in the way without a name', async () => {
    const body = { contactId, whatsappId: company.connectionId }
    expect(await call(product(), tickets.create, agent.token, { body })).toMatchObject({ status: 403 })
    const check = await call(product(), tickets.check, agent.token, {
      params: { a: contactId, b: company.connectionId },
    })
    expect(check).toMatchObject({
      status: 409,
      body: { error: 'ERR_OTHER_OPEN_TICKET', ticket: { id: ticketId, name: 'Marle…' } },
    })
    expect(leaks(check.body)).toEqual([])
  })

  it('neither reads nor changes contacts', async () => {
    for (const reply of [
      await call(product(), contacts.list, agent.token, { query: { searchParam: '99812' } }),
      await call(product(), contacts.get, agent.token, { params: { id: contactId } }),
      await call(product(), contacts.byNumber, agent.token, { params: { number: secret.number } }),
      await call(product(), contacts.create, agent.token, { body: { name: 'Outra', number: '+55 19 99812-4407' } }),
      await call(product(), contacts.update, agent.token, { params: { id: contactId }, body: { name: 'Outra' } }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
      expect(leaks(reply.body)).toEqual([])
    }
  })

  it('hears everything of the conversation, masked, live and after an absence; colleagues hear it whole', async () => {
    const before = (await call(product(), messages.changes, agent.token)).body.lastSeq
    const masked = await listen(agent)
    const whole = await listen(company.admin)
    const said = async (body: string, id: string) => {
      const event = textEvent({ from: secret.number, name: secret.name, body, id })
      await receive(product().platform, { tenantId: company.tenantId, connectionId: company.connectionId }, [event])
      await ingestIdle(product().platform)
    }
    await said('Bom dia', 'um')
    const page = await call(product(), messages.list, agent.token, { params: { ticketId } })
    const [first] = page.body.messages
    await call(product(), messages.send, agent.token, {
      params: { ticketId },
      body: { idFront: randomUUID(), body: 'Bom dia!', isNote: false, quotedMsgId: first!.id },
    })
    await call(product(), contacts.update, company.admin.token, {
      params: { id: contactId },
      body: { firstName: 'Sigilosa' },
    })
    await call(product(), contacts.setWallets, company.admin.token, {
      params: { id: contactId },
      body: { wallets: [agent.id] },
    })
    await call(product(), tickets.update, company.admin.token, {
      params: { id: ticketId },
      body: { tagIds: [await m().tag(company.tenantId)] },
    })
    const types = ({ heard }: { heard: Envelope[] }) => new Set(heard.map(({ type }) => type))
    const expected = ['chat:create', 'chat:ack', 'ticket:update']
    await until(() => expected.every((type) => types(masked).has(type) && types(whole).has(type)))
    await until(() => masked.heard.filter(({ type }) => type === 'chat:create').length === 2)
    expect(leaks(masked.heard)).toEqual([])
    expect(JSON.stringify(masked.heard)).toContain('"author":"Marle…"')
    expect(leaks(whole.heard)).toEqual(expect.arrayContaining([secret.name, secret.number]))
    const missed = await call(product(), messages.changes, agent.token, { query: { after: before } })
    const changes = (missed.body as { changes: Envelope[] }).changes
    expect(new Set(changes.map(({ type }) => type))).toEqual(
      new Set([...types(masked)].filter((type) => type !== 'presence')),
    )
    expect(leaks(changes)).toEqual([])
  })

  it('reads masked what a change or a message of their own answers', async () => {
    const changed = await call(product(), tickets.update, agent.token, {
      params: { id: ticketId },
      body: { unreadMessages: 0 },
    })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Marle…', contactDetail: { email: '•••••••' } } })
    const { body } = await call(product(), messages.list, agent.token, { params: { ticketId } })
    const theirs = body.messages.find((one) => !one.fromMe)
    const sent = await call(product(), messages.send, agent.token, {
      params: { ticketId },
      body: { idFront: randomUUID(), body: 'Certo', isNote: false, quotedMsgId: theirs!.id },
    })
    expect(sent).toMatchObject({ status: 200, body: { messages: [{ quotedMsg: { author: 'Marle…' } }] } })
    for (const reply of [changed, sent]) expect(leaks(reply.body)).toEqual([])
  })
})
