import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { contactFields } from './contact-fields.ts'
import { type ContactDetail, contacts, contactViews } from './contract.ts'

const product = withProduct()
let tenantId: number
let lead: Person
let agent: Person

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  lead = await m.person(tenantId, { profile: 'super', name: 'Chefe' })
  agent = await m.person(tenantId, { name: 'Ana' })
})

type Reply<T> = { status: number; body: T & { error?: string; details?: Record<string, unknown> } }
type FieldRow = { id: number; name: string; type: string }
const define = async (body: object): Promise<Reply<FieldRow>> =>
  await call(product(), contactFields.ops.create, lead.token, { body: body })
const create = async (body: object, token = agent.token): Promise<Reply<ContactDetail>> =>
  await call(product(), contacts.create, token, { body: body as never })
const update = async (id: number, body: object, token = agent.token): Promise<Reply<ContactDetail>> =>
  await call(product(), contacts.update, token, { params: { id }, body: body })
const found = async (query: object, token = agent.token): Promise<string[]> => {
  const { body } = await call(product(), contacts.list, token, { query: query })
  return body.contacts.map(({ name }) => name)
}

describe('fields of the company’s own', () => {
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    const all = [
      { name: 'Convênio', type: 'choice', options: 'Ouro\nPrata\nSão José', required: true },
      { name: 'Tamanho', type: 'number' },
      { name: 'Última compra', type: 'date' },
      { name: 'Cidade natal', type: 'text' },
      { name: 'Aceita ofertas', type: 'boolean' },
    ]
    for (const one of all) ids[one.name] = (await define(one)).body.id
  })

  const field = (name: string) => ids[name] as number

  it('are defined by leads, a choice with its options', async () => {
    const refused = await call(product(), contactFields.ops.create, agent.token, { body: { name: 'Meu' } })
    expect(refused.status).toBe(403)
    expect((await define({ name: 'Vazio', type: 'choice' })).body.details).toEqual({ options: expect.any(String) })
    expect((await define({ name: 'Vírgula', type: 'choice', options: 'a, b' })).status).toBe(400)
    expect((await define({ name: 'Tamanho' })).status).toBe(409)
  })

  it('are fifty at most, also of twenty made at once', async () => {
    const m = make(product().platform)
    const boss = await m.person(await m.tenant(), { profile: 'super' })
    await product().platform.db.write(boss.tenantId, (db) =>
      sql`insert into contact_fields (tenant_id, name, type, position, created_at, updated_at)
        select app.tenant(), 'Campo ' || n, 'text', n, app.now(), app.now() from generate_series(1, 48) n`.execute(db),
    )
    const add = (name: string) => call(product(), contactFields.ops.create, boss.token, { body: { name } })
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => add(`O último ${n}`)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await add('Um a mais')).toMatchObject({ status: 409, body: { error: 'ERR_MAX_CONTACT_FIELDS' } })
  })

  it('keep values of their kind, each refused at its field', async () => {
    const fields = {
      [field('Convênio')]: 'Prata',
      [field('Tamanho')]: 42.5,
      [field('Última compra')]: '2026-02-28',
      [field('Cidade natal')]: ' Goiânia ',
      [field('Aceita ofertas')]: true,
    }
    const { status, body } = await create({ name: 'Com campos', fields, extraInfo: [{ name: 'Livre', value: 'sim' }] })
    expect(status).toBe(200)
    expect(body.fields).toEqual({ ...fields, [field('Cidade natal')]: 'Goiânia' })
    expect(body.extraInfo.map(({ id, name, value }) => [id, name, value])).toEqual([
      [`field:${field('Convênio')}`, 'Convênio', 'Prata'],
      [`field:${field('Tamanho')}`, 'Tamanho', '42,5'],
      [`field:${field('Última compra')}`, 'Última compra', '28/02/2026'],
      [`field:${field('Cidade natal')}`, 'Cidade natal', 'Goiânia'],
      [`field:${field('Aceita ofertas')}`, 'Aceita ofertas', 'Sim'],
      [expect.any(String), 'Livre', 'sim'],
    ])
    for (const [name, value] of [
      ['Convênio', 'Bronze'],
      ['Convênio', null],
      ['Tamanho', 'grande'],
      ['Última compra', '2026-02-30'],
      ['Aceita ofertas', 'talvez'],
    ] as const) {
      const reply = await update(body.id, { fields: { [field(name)]: value } })
      expect([reply.status, Object.keys(reply.body.details ?? {})]).toEqual([400, [`fields.${field(name)}`]])
    }
    expect((await update(body.id, { fields: { 999999: 'x' } })).status).toBe(400)
    const changed = await update(body.id, { fields: { [field('Tamanho')]: null, [field('Aceita ofertas')]: false } })
    expect(changed.body.fields).toEqual({
      [field('Convênio')]: 'Prata',
      [field('Última compra')]: '2026-02-28',
      [field('Cidade natal')]: 'Goiânia',
      [field('Aceita ofertas')]: false,
    })
    // The older wire fields write the values too, and remove none that they do not name.
    const old = await update(body.id, {
      extraInfo: [{ id: `field:${field('Última compra')}`, name: 'x', value: '01/03/2026' }],
    })
    expect(old.body.fields[field('Última compra')]).toBe('2026-03-01')
    expect(old.body.fields[field('Convênio')]).toBe('Prata')
    expect(old.body.extraInfo.some(({ name }) => name === 'Livre')).toBe(false)
  })

  it('asks a new contact’s form for what is required', async () => {
    const { status, body } = await create({ name: 'Sem convênio', fields: { [field('Tamanho')]: 1 } })
    expect([status, body.details]).toEqual([
      400,
      { [`fields.${field('Convênio')}`]: expect.stringContaining('Convênio') },
    ])
    expect((await create({ name: 'De um cartão' })).status).toBe(200)
  })

  it('narrow the list, alone and together', async () => {
    const put = (name: string, fields: object) => create({ name, fields: { [field('Convênio')]: 'Ouro', ...fields } })
    await put('Pequeno', { [field('Tamanho')]: 5, [field('Última compra')]: '2025-01-01' })
    await put('Médio', {
      [field('Tamanho')]: 10,
      [field('Última compra')]: '2025-06-01',
      [field('Cidade natal')]: 'Ubá',
    })
    await put('Grande', {
      [field('Tamanho')]: 200,
      [field('Convênio')]: 'São José',
      [field('Cidade natal')]: 'Ubatuba',
    })
    const by = (...asked: string[]) => found({ field: asked })
    expect(await by(`${field('Tamanho')}:6..`)).toEqual(['Grande', 'Médio'])
    expect(await by(`${field('Tamanho')}:5..10`)).toEqual(['Médio', 'Pequeno'])
    expect(await by(`${field('Última compra')}:..2025-05-31`)).toEqual(['Pequeno'])
    expect(await by(`${field('Convênio')}:São José`, `${field('Convênio')}:Prata`)).toEqual(['Com campos', 'Grande'])
    expect(await by(`${field('Cidade natal')}:uba`)).toEqual(['Grande', 'Médio'])
    expect(await by(`${field('Cidade natal')}:uba`, `${field('Tamanho')}:..10`)).toEqual(['Médio'])
    expect(await by(`${field('Aceita ofertas')}:false`)).toEqual(['Com campos'])
    // A view's filter on a removed field matches no contact, never more than requested.
    expect(await by('999999:x')).toEqual([])
    const wrong = await call(product(), contacts.list, agent.token, {
      query: { field: [`${field('Tamanho')}:muito..`] },
    })
    expect(wrong.status).toBe(400)
  })

  it('stay while contacts have something in them', async () => {
    const params = { id: field('Tamanho') }
    const removed = await call(product(), contactFields.ops.remove, lead.token, { params })
    expect(removed).toMatchObject({ status: 409, body: { error: 'ERR_CONTACT_FIELD_USED' } })
    const turned = await call(product(), contactFields.ops.update, lead.token, {
      params,
      body: { type: 'date' } as never,
    })
    expect(turned.status).toBe(400)
    const { id } = (await define({ name: 'Sem uso', type: 'number' })).body
    expect((await call(product(), contactFields.ops.remove, lead.token, { params: { id } })).status).toBe(200)
  })

  it('go with merges, and come back', async () => {
    const a = (await create({ name: 'Uma', fields: { [field('Convênio')]: 'Ouro' } })).body
    const b = (await create({ name: 'Outra', fields: { [field('Convênio')]: 'Prata', [field('Tamanho')]: 7 } })).body
    const { body } = await call(product(), contacts.merge, lead.token, {
      params: { id: a.id },
      body: { contactId: b.id },
    })
    const merged = body
    expect(merged.contact.fields).toEqual({ [field('Convênio')]: 'Ouro', [field('Tamanho')]: 7 })
    await call(product(), contacts.undoMerge, lead.token, { params: { mergeId: merged.mergeId } })
    const read = async (id: number) =>
      (await call(product(), contacts.get, agent.token, { params: { id } })).body.fields
    expect(await read(a.id)).toEqual({ [field('Convênio')]: 'Ouro' })
    expect(await read(b.id)).toEqual({ [field('Convênio')]: 'Prata', [field('Tamanho')]: 7 })
  })
})

describe('what channels tell of a contact', () => {
  it('may be written by hand, never over a channel’s own word', async () => {
    const m = make(product().platform)
    const { body } = await create({ name: 'Com endereços', lid: '12345678', telegramId: '77', chatbotBlocked: true })
    expect(body).toMatchObject({ lid: '12345678@lid', telegramId: '77', chatbotBlocked: true, instagramPK: '' })
    expect((await update(body.id, { telegramId: '', lid: '999999999' })).body).toMatchObject({
      telegramId: '',
      lid: '999999999@lid',
    })
    const other = await m.contact(tenantId, { name: 'Dona' })
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('contact_identities')
        .values({ tenant_id: tenantId, channel: 'instagram', identity: 'dona.1', contact_id: other })
        .execute(),
    )
    expect(await update(body.id, { instagramPK: 'dona.1' })).toMatchObject({
      status: 409,
      body: {
        error: 'ERR_DUPLICATED_CONTACT',
        details: { instagramPK: 'Este endereço já é de Dona.', contact: { id: other } },
      },
    })
    expect((await update(other, { instagramPK: '' })).body.details).toEqual({ instagramPK: expect.any(String) })
    expect((await update(other, { lid: 'abc' })).body.details).toEqual({ lid: expect.any(String) })
  })

  it('narrows the list by stage, blocks and groups', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const ana = await m.person(company)
    const stage = await product().platform.db.write(company, (db) =>
      db
        .insertInto('stages')
        .values({ tenant_id: company, name: 'Novo', color: '#112233', position: 1 })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    await m.contact(company, { name: 'Parado', kanban: stage.id, kanban_order: 'a0' })
    await m.contact(company, { name: 'Travado', blocked: true })
    await m.contact(company, { name: 'Só gente', chatbot_blocked: true })
    const group = await m.contact(company, { name: 'Turma', is_group: true, number: null })
    expect(await found({ kanban: [stage.id] }, ana.token)).toEqual(['Parado'])
    expect(await found({ blocked: 'true' }, ana.token)).toEqual(['Travado'])
    expect(await found({ blocked: 'false', isGroup: 'false' }, ana.token)).toEqual(['Parado', 'Só gente'])
    expect(await found({ chatbotBlocked: 'true' }, ana.token)).toEqual(['Só gente'])
    expect(await found({ isGroup: 'true' }, ana.token)).toEqual(['Turma'])
    const led = await m.contact(company, { name: 'Vinda do anúncio' })
    const ad = JSON.stringify({ ad: { title: 'Mesas de volta', url: 'https://site.example' } })
    await m.message(company, await m.ticket(company, { contact_id: led }), { data: ad })
    expect(await found({ fromAd: 'true' }, ana.token)).toEqual(['Vinda do anúncio'])
    expect(await found({ fromAd: 'false', isGroup: 'false' }, ana.token)).not.toContain('Vinda do anúncio')
    expect(await found({ fromAd: 'true', kanban: [stage.id] }, ana.token)).toEqual([])
    const ticket = await m.ticket(company, { contact_id: group, is_group: true, status: 'open' })
    expect(ticket).toBeGreaterThan(0)
    const shared = await update(group, { groupUserIdArray: [ana.id] }, ana.token)
    expect(shared.body.groupUserIdArray).toEqual([ana.id])
    expect((await update(group, { groupUserIdArray: [agent.id] }, ana.token)).body.error).toBe('ERR_NO_USER_FOUND')
  })
})

describe('a view', () => {
  const list = async (token: string) => (await call(product(), contactViews.list, token, {})).body.views
  const save = (token: string, body: object) => call(product(), contactViews.create, token, { body: body as never })

  it('keeps the list’s query as data, one’s own or (by leads) the company’s', async () => {
    const filter = { blocked: true, field: ['1:Ouro'], tag: [1] }
    expect(await save(agent.token, { name: 'Bloqueados', filter })).toMatchObject({
      status: 200,
      body: { name: 'Bloqueados', filter, audience: 'person', mayChange: true },
    })
    expect((await save(agent.token, { name: 'De todos', filter: {}, audience: 'company' })).status).toBe(403)
    const { body } = await save(lead.token, { name: 'De todos', filter: {}, audience: 'company' })
    const { id } = body
    expect((await list(agent.token)).map(({ name }) => name)).toEqual(['De todos', 'Bloqueados'])
    expect((await list(lead.token)).map(({ name }) => name)).toEqual(['De todos'])
    const change = (token: string, part: object) =>
      call(product(), contactViews.update, token, { params: { id }, body: part })
    expect((await change(agent.token, { name: 'Minha' })).status).toBe(403)
    expect(await change(lead.token, { name: 'Nossa' })).toMatchObject({ status: 200, body: { audience: 'company' } })
    const [, own] = await list(agent.token)
    expect((await call(product(), contactViews.remove, lead.token, { params: { id: own!.id } })).status).toBe(404)
    expect((await call(product(), contactViews.remove, agent.token, { params: { id: own!.id } })).status).toBe(200)
    expect((await save(agent.token, { name: 'Torta', filter: { surpresa: 1 } })).status).toBe(400)
  })

  it('is one of a hundred at most, of each kind, also of twenty kept at once', async () => {
    await product().platform.db.write(tenantId, (db) =>
      sql`insert into contact_views (tenant_id, name, filter, audience, user_id, created_at, updated_at)
        select app.tenant(), 'Visão ' || n, '{}', 'person', ${lead.id}, app.now(), app.now()
        from generate_series(1, 98) n`.execute(db),
    )
    const add = (_: unknown, n: number) => save(lead.token, { name: `Última ${n}`, filter: {} })
    const replies = await Promise.all(Array.from({ length: 20 }, add))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await save(lead.token, { name: 'Uma a mais', filter: {} })).toMatchObject({
      ...{ status: 409, body: { error: 'ERR_TOO_MANY_CONTACT_VIEWS' } },
    })
    const ours = await save(lead.token, { name: 'Da empresa', filter: {}, audience: 'company' })
    expect(ours.status).toBe(200)
    const moved = { params: { id: ours.body.id }, body: { audience: 'person' } as never }
    expect((await call(product(), contactViews.update, lead.token, moved)).body).toMatchObject({
      error: 'ERR_TOO_MANY_CONTACT_VIEWS',
    })
  })
})
