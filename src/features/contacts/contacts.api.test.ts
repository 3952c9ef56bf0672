import { beforeAll, describe, expect, it } from 'vitest'
import { messages } from '#features/messages/contract.ts'
import { schedules } from '#features/schedules/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import '#test/channels/register.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type ContactDetail, contacts } from './contract.ts'

const product = withProduct()
let tenantId: number
let admin: string
let agent: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const ana = await m.user(tenantId, { name: 'Ana' })
  agent = { id: ana.id, token: await m.token(ana) }
})

type Reply = { status: number; body: ContactDetail & { error?: string; details?: Record<string, unknown> } }
const create = async (body: object, token = agent.token): Promise<Reply> =>
  call(product(), contacts.create, token, { body: body as never })
const update = async (id: number, body: object, token = agent.token): Promise<Reply> =>
  call(product(), contacts.update, token, { params: { id }, body: body })
const read = async (id: number, token = agent.token): Promise<Reply> =>
  call(product(), contacts.get, token, { params: { id } })

describe('a contact', () => {
  it('keeps what the form says, in the forms that can be compared', async () => {
    const m = make(product().platform)
    const tag = await m.tag(tenantId, { tag: 'Cliente ouro', color: '#B4468F' })
    const { status, body } = await create({
      name: '  Marlene Figueiredo ',
      number: '(19) 99812-4407',
      email: ' Marlene@Terra.com.br ',
      cpf: '318.604.927-03',
      birthdayDate: '1968-03-14',
      businessName: 'Padaria Sol',
      tags: [tag],
      wallets: [agent.id],
      extraInfo: [{ name: 'Convênio', value: 'Ouro' }],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Marlene Figueiredo',
      number: '5519998124407',
      email: 'marlene@terra.com.br',
      cpf: '31860492703',
      birthdayDate: '1968-03-14',
      tags: [{ id: tag, tag: 'Cliente ouro', color: '#B4468F' }],
      wallets: [{ id: agent.id, name: 'Ana' }],
      extraInfo: [{ id: expect.any(String), name: 'Convênio', value: 'Ouro' }],
      ticketCount: 0,
    })
    expect((await read(body.id)).body).toEqual(body)
    const changed = await update(body.id, { email: '', tags: [] })
    expect(changed.body).toMatchObject({ email: '', tags: [], number: '5519998124407', extraInfo: body.extraInfo })
  })

  it.each([
    ['name', ' ', 'Preencha este campo.'],
    ['number', '12', /DDD/],
    ['number', 'não tenho', /DDD/],
    ['email', 'marlene@terra', /e-mail válido/],
    ['cpf', '318.604.927-06', /CPF ou CNPJ/],
    ['birthdayDate', '1968-02-30', /data/],
    ['surpresa', 1, 'Campo desconhecido.'],
  ])('refuses a wrong %s (%s) at its field', async (field, value, sentence) => {
    const { status, body } = await create({ name: 'Fulano', [field]: value })
    expect([status, body.error]).toEqual([400, 'ERR_VALIDATION'])
    expect(body.details).toEqual({
      [field]: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    })
  })

  it.each([
    ['with the ninth digit', '5521988887777', '(21) 8888-7777'],
    ['without the ninth digit', '552188886666', '21 98888-6666'],
    ['from abroad', '14155550132', '+1 415 555 0132'],
  ])('owns its line %s', async (_, stored, written) => {
    const m = make(product().platform)
    const id = await m.contact(tenantId, { name: 'Dona da linha', number: stored })
    const second = await create({ name: 'Outra', number: written })
    expect(second).toMatchObject({
      status: 409,
      body: { error: 'ERR_DUPLICATED_CONTACT', details: { contact: { id, name: 'Dona da linha', number: stored } } },
    })
    const found = await call(product(), contacts.byNumber, agent.token, { params: { number: written } })
    expect(found.body).toMatchObject({ id })
    expect((await update(id, { number: written })).status).toBe(200)
  })

  it('takes only tags and wallets of its company', async () => {
    const m = make(product().platform)
    const elsewhere = await m.tenant()
    const stranger = await m.user(elsewhere)
    const tag = await m.tag(elsewhere)
    const { body } = await create({ name: 'Só nossa' })
    const put = (op: 'setTags' | 'setWallets', value: object) =>
      call(product(), contacts[op], agent.token, { params: { id: body.id }, body: value as never })
    expect((await put('setTags', { tags: [tag] })).body).toMatchObject({ error: 'ERR_NO_TAG_FOUND' })
    expect((await put('setWallets', { wallets: [stranger.id] })).body).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
    expect((await put('setWallets', { wallets: [agent.id, agent.id] })).body).toMatchObject({
      wallets: [{ id: agent.id }],
    })
    expect((await read(body.id)).body).toMatchObject({ tags: [], wallets: [{ id: agent.id }] })
  })

  it('is deleted by leads, and stays while it has tickets', async () => {
    const m = make(product().platform)
    const id = await m.contact(tenantId)
    await m.ticket(tenantId, { contact_id: id, status: 'closed' })
    const remove = (token: string, contact: number) =>
      call(product(), contacts.remove, token, { params: { id: contact } })
    expect((await remove(agent.token, id)).status).toBe(403)
    expect(await remove(admin, id)).toMatchObject({ status: 409, body: { error: 'ERR_CONTACT_TICKETS_REGISTERED' } })
    const { body } = await create({ name: 'Sem atendimento', wallets: [agent.id] })
    expect((await remove(admin, body.id)).status).toBe(200)
    expect((await read(body.id)).status).toBe(404)
  })

  it('is kept from a restricted user', async () => {
    const m = make(product().platform)
    const { id } = await m.user(tenantId)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', id).execute(),
    )
    const reply = await call(product(), contacts.list, await m.token({ id, tenantId }), {})
    expect(reply).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
  })
})

describe('the list', () => {
  let company: number
  let token: string
  let gold: number
  let owner: number
  const list = async (query: object = {}) => {
    const { body } = await call(product(), contacts.list, token, { query })
    return body as unknown as {
      contacts: ContactDetail[]
      count: number
      countIsCapped: boolean
      hasMore: boolean
      nextCursor: string
    }
  }
  const names = async (query: object = {}) => (await list(query)).contacts.map((one) => one.name)

  beforeAll(async () => {
    const m = make(product().platform)
    company = await m.tenant()
    const user = await m.user(company, { name: 'Camila' })
    owner = user.id
    token = await m.token(user)
    gold = await m.tag(company)
    const made: Record<string, number> = {}
    for (const [name, row] of Object.entries({
      Zuleica: { number: '5519998124407', email: 'zu@terra.com.br' },
      Álvaro: { business_name: 'Padaria São João', cpf: '31860492703' },
      ana: { number: '551932518870' },
      'Bruna 100%': {},
    })) {
      made[name] = await m.contact(company, { name, number: null, ...row })
    }
    await product().platform.db.write(company, async (db) => {
      const mine = { tenant_id: company, contact_id: made['ana']! }
      await db
        .insertInto('contact_tags')
        .values({ ...mine, tag_id: gold })
        .execute()
      await db
        .insertInto('contact_wallets')
        .values({ ...mine, user_id: owner })
        .execute()
      await db
        .insertInto('contact_identities')
        .values([
          { tenant_id: company, channel: 'lab', identity: 'a', contact_id: made['ana']!, created_at: new Date(0) },
          { tenant_id: company, channel: 'webchat', identity: 'b', contact_id: made['ana']! },
        ])
        .execute()
    })
  })

  it('is in the order in which people read names', async () => {
    expect(await names()).toEqual(['Álvaro', 'ana', 'Bruna 100%', 'Zuleica'])
    expect((await list()).contacts[1]).toMatchObject({ channels: ['webchat', 'lab'], wallets: [{ name: 'Camila' }] })
  })

  it.each([
    ['name without accents', 'alva', ['Álvaro']],
    ['company', 'são joao', ['Álvaro']],
    ['masked document', '318.604.927-03', ['Álvaro']],
    ['masked number', '(19) 99812', ['Zuleica']],
    ['e-mail', 'ZU@terra', ['Zuleica']],
    ['a sign that is a wildcard elsewhere', '%', ['Bruna 100%']],
    ['nothing', 'ninguém', []],
  ])('finds by %s', async (_, searchParam, expected) => {
    const found = await list({ searchParam })
    expect([found.contacts.map((one) => one.name), found.count]).toEqual([expected, expected.length])
  })

  it('narrows by tag and wallet', async () => {
    expect(await names({ tag: gold })).toEqual(['ana'])
    expect(await names({ wallet: [owner, 999_999] })).toEqual(['ana'])
    expect(await names({ tag: gold, searchParam: 'zul' })).toEqual([])
  })

  it('pages by cursor through equal names, and counts up to a thousand', async () => {
    const m = make(product().platform)
    const other = await m.tenant()
    token = await m.token(await m.user(other))
    await product().platform.db.write(other, (db) =>
      db
        .insertInto('contacts')
        .values(Array.from({ length: 1200 }, (_, n) => ({ tenant_id: other, name: n % 2 ? 'José' : `Ágata ${n}` })))
        .execute(),
    )
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await list({ cursor })
      expect([page.count, page.countIsCapped]).toEqual([1000, true])
      seen.push(...page.contacts.map((one) => one.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect([seen.length, new Set(seen).size]).toEqual([1200, 1200])
    const common = await list({ searchParam: 'a' })
    expect([common.contacts.length, common.count, common.countIsCapped]).toEqual([40, 600, false])
    expect((await list({ pageNumber: 2 })).contacts.map((one) => one.id)).toEqual(seen.slice(40, 80))
    expect(await call(product(), contacts.list, token, { query: { pageNumber: 51 } })).toMatchObject({ status: 400 })
  })
})

describe('wallet routing', () => {
  it('shows a contact with wallets to their owners and the leads alone, and takes its tickets with it', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    await make(product().platform).setting(company, 'DirectTicketsToWallets')
    const [ana, bia, lead] = [
      await m.user(company),
      await m.user(company),
      await m.user(company, { profile: 'super' }),
    ] as const
    const tokens = { ana: await m.token(ana), bia: await m.token(bia), lead: await m.token(lead) }
    const id = await m.contact(company, { name: 'Da carteira', number: '5511955554444' })
    const ticketId = await m.ticket(company, { contact_id: id, status: 'open' })
    const visible = async (token: string) => (await read(id, token)).status === 200
    expect([await visible(tokens.ana), await visible(tokens.bia)]).toEqual([true, true])

    const told: { type: string; audience: { kind: string; after?: { wallets: number[] } } }[] = []
    product().platform.bus.subscribe((_, changes) => void told.push(...(changes as never[])))
    await call(product(), contacts.setWallets, tokens.bia, { params: { id }, body: { wallets: [ana.id] } })
    expect([await visible(tokens.ana), await visible(tokens.bia), await visible(tokens.lead)]).toEqual([
      true,
      false,
      true,
    ])
    await until(() => told.length >= 2)
    expect(told).toMatchObject([
      {
        type: 'ticket:update',
        payload: { id: ticketId },
        audience: { before: { wallets: [] }, after: { wallets: [ana.id] } },
      },
      { type: 'contact:update', payload: { id } },
    ])

    const listed = await call(product(), contacts.list, tokens.bia, {})
    expect(listed.body).toMatchObject({ contacts: [], count: 0 })
    for (const reply of [
      await update(id, { name: 'Minha' }, tokens.bia),
      await call(product(), contacts.byNumber, tokens.bia, { params: { number: '11 95555-4444' } }),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { error: 'ERR_NO_CONTACT_FOUND' } })
    }
    const duplicate = await create({ name: 'De novo', number: '11955554444' }, tokens.bia)
    expect(duplicate).toMatchObject({ status: 409, body: { error: 'ERR_DUPLICATED_CONTACT' } })
    expect(duplicate.body.details).toBeUndefined()
  })

  it('lets nobody write to a contact that they do not see: no conversation, no schedule', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    await m.setting(company, 'DirectTicketsToWallets')
    const [owner, other] = [await m.person(company), await m.person(company)]
    const whatsappId = await m.connection(company, { type: 'test' })
    const contactId = await m.contact(company)
    const wallets = { params: { id: contactId }, body: { wallets: [owner.id] } }
    expect((await call(product(), contacts.setWallets, owner.token, wallets)).status).toBe(200)
    const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
    const of = { whatsappId, contactId }
    const ask = async ({ token }: typeof owner) => [
      await call(product(), schedules.create, token, { body: { ...of, body: 'Oi', scheduleDate } }),
      await call(product(), tickets.create, token, { body: of }),
      await call(product(), tickets.check, token, { params: { a: contactId, b: whatsappId } }),
    ]
    for (const reply of await ask(other))
      expect(reply).toMatchObject({ status: 404, body: { error: 'ERR_NO_CONTACT_FOUND' } })
    const texts = await product().platform.db.read(company, (db) => db.selectFrom('messages').select('body').execute())
    expect(texts).toEqual([])
    expect((await ask(owner)).map(({ status }) => status)).toEqual([200, 200, 409])
    // A user who may see the conversation may continue it.
    await product().platform.db.write(company, (db) => db.updateTable('tickets').set({ user_id: other.id }).execute())
    expect((await ask(other)).map(({ status }) => status)).toEqual([200, 404, 404])
  })

  it('nor forwards to one, whether or not somebody is in conversation with it, and nobody learns who is', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    await m.setting(company, 'DirectTicketsToWallets')
    const [owner, other] = [await m.person(company), await m.person(company)]
    const connection_id = await m.connection(company, { type: 'test' })
    const contact = await m.contact(company)
    const own = await m.ticket(company, { connection_id, status: 'open', user_id: other.id })
    const message = await m.message(company, own, { body: 'Segue' })
    const wallets = { params: { id: contact }, body: { wallets: [owner.id] } }
    await call(product(), contacts.setWallets, owner.token, wallets)
    const forward = ({ token }: typeof owner) =>
      call(product(), messages.forward, token, { body: { messages: [message], contact } })
    const count = () =>
      product().platform.db.read(company, async (db) => [
        (await db.selectFrom('tickets').select('id').execute()).length,
        (await db.selectFrom('messages').select('id').execute()).length,
      ])

    const refused = { status: 404, body: { error: 'ERR_NO_CONTACT_FOUND' } }
    expect(await forward(other)).toMatchObject(refused)
    const started = await call(product(), tickets.create, owner.token, {
      body: { whatsappId: connection_id, contactId: contact },
    })
    const { id: theirs } = started.body
    const reply = await forward(other)
    expect(reply).toMatchObject(refused)
    expect(reply.body).not.toHaveProperty('ticket')
    expect(await count()).toEqual([2, 1])
    // A user who may see the conversation may forward into it.
    await product().platform.db.write(company, (db) =>
      db.updateTable('tickets').set({ user_id: other.id }).where('id', '=', theirs).execute(),
    )
    expect(await forward(other)).toMatchObject({ status: 200, body: { ticket: { id: theirs } } })
  })
})
