import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { macros } from '#features/macros/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { constants } from './constants.ts'
import { variables } from './contract.ts'

const product = withProduct()
let tenantId: number
let lead: string
let agent: { id: number; token: string }

beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  lead = await m.token(await m.user(tenantId, { profile: 'super' }))
  const ana = await m.user(tenantId)
  agent = { id: ana.id, token: await m.token(ana) }
})

const write = (body: { name: string; value: string }) => call(product(), constants.ops.create, lead, { body })
const insert = (table: string, row: object) => make(product().platform).insert(table as never, tenantId, row)
const times = () => ({ created_at: product().platform.now(), updated_at: product().platform.now() })

test.each([
  ['com espaço', 'Use letras sem acento, números e sublinhado, e comece com uma letra.'],
  ['1a', 'Use letras sem acento, números e sublinhado, e comece com uma letra.'],
  ['firstName', 'O produto já tem esta variável.'],
])('a constant may not be called %s', async (name, text) => {
  const refused = await write({ name, value: 'x' })
  expect([refused.status, refused.body]).toMatchObject([400, { details: { name: text } }])
})

test('a field keeps its variable when it is renamed, and two that sound alike have two', async () => {
  const at = (position: number, name: string) => insert('contact_fields', { name, type: 'text', position, ...times() })
  const first = await at(1, 'Plano de Saúde')
  const second = await at(2, 'plano de saude!')
  await product().platform.db.write(tenantId, (db) =>
    db.updateTable('contact_fields').set({ name: 'Convênio' }).where('id', '=', first).execute(),
  )
  const { body } = await call(product(), variables.list, agent.token)
  expect(body).toMatchObject({
    variables: [
      { name: 'campo.plano_de_saude', kind: 'field', label: 'Convênio' },
      { name: `campo.plano_de_saude__${second}`, kind: 'field', label: 'plano de saude!' },
    ],
  })
})

test('what a company fills in itself stands in every text, as its customers read it', async () => {
  const m = make(product().platform)
  await write({ name: 'site', value: 'loja.example' })
  const fields = [
    ['Vence em', 'date', '2026-03-14', null],
    ['Aceita ofertas', 'boolean', 'true', null],
    ['Limite', 'number', '1250.5', 1250.5],
  ] as const
  const ticketId = await m.ticket(tenantId, { user_id: agent.id, status: 'open' })
  const contact = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('contact_id').where('id', '=', ticketId).executeTakeFirstOrThrow(),
  )
  for (const [index, [name, type, value, number]] of fields.entries()) {
    const field_id = await insert('contact_fields', { name, type, position: 3 + index, ...times() })
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('contact_field_values')
        .values({ tenant_id: tenantId, contact_id: contact.contact_id, field_id, value, number })
        .execute(),
    )
  }
  const expected = {
    site: 'loja.example',
    'campo.vence_em': '14/03/2026',
    'campo.aceita_ofertas': 'Sim',
    'campo.limite': '1250,5',
    'campo.plano_de_saude': '',
  }
  const shown = await call(product(), tickets.get, agent.token, { params: { id: ticketId } })
  expect(shown.body).toMatchObject({ contactDetail: { variables: expected } })

  const body = '{{site}} até {{campo.vence_em}}, {{campo.plano_de_saude|sem plano}}: {{campo.limite}}{{xpto}}'
  const made = await call(product(), macros.create, lead, {
    body: { name: 'Oferta', color: '#1C5D99', actions: [{ kind: 'note', body }] },
  })
  const { id } = made.body
  const preview = await call(product(), macros.preview, agent.token, { params: { id, ticketId } })
  expect(preview.body).toMatchObject({ steps: [{ body: 'loja.example até 14/03/2026, sem plano: 1250,5{{xpto}}' }] })
})

test('says where each variable stands, not in what is somebody else’s, and keeps a constant that is used', async () => {
  const used = (await write({ name: 'horario', value: 'das 8h às 18h' })).body
  const free = (await write({ name: 'sobra', value: '-' })).body
  const text = 'Atendemos {{ horario |sempre}}, {{nmae}}'
  await insert('fast_replies', { key: 'horas', message: text })
  await insert('fast_replies', { key: 'minha', message: text, is_public: false, user_id: agent.id })
  await insert('farewells', { name: 'Até logo', message: text, ...times() })
  const definition = {
    nodeList: [
      {
        id: 'a',
        type: 'node',
        data: { variableKey: 'endereço' },
        interactions: [{ data: { message: `${text} {{endereço}}`, saveAs: 'loja' } }],
      },
    ],
  }
  await insert('chat_flows', { name: 'Entrada', definition: JSON.stringify(definition) })
  await make(product().platform).setting(tenantId, 'autoCloseMessage', text)
  const ratings = JSON.stringify([{ rating: 5, label: 'Bom', message: text }])
  await make(product().platform).setting(tenantId, 'rating', ratings)
  const { body } = await call(product(), variables.uses, lead)
  const { uses } = body
  expect(uses.filter((use) => use.name === 'endereço')).toMatchObject([{ kind: 'flow', title: 'Entrada' }])
  for (const name of ['horario', 'nmae'])
    expect(uses.filter((use) => use.name === name).map(({ kind, title }) => [kind, title])).toEqual([
      ['farewell', 'Até logo'],
      ['fastReply', '/horas'],
      ['flow', 'Entrada'],
      ['rating', ''],
      ['setting', ''],
    ])
  // Also what only a share of the new conversations follows.
  const tried = (await write({ name: 'prazo', value: '7 dias' })).body
  const plain = JSON.stringify({ nodeList: [] })
  const flow = await insert('chat_flows', { name: 'Em teste', definition: plain, trial_version: 2, trial_share: 5 })
  await product().platform.db.asPlatform((db) =>
    db
      .insertInto('chat_flow_versions')
      .values({
        ...{ tenant_id: tenantId, chat_flow_id: flow, version: 2 },
        definition: JSON.stringify({ nodeList: [{ interactions: [{ data: { message: 'Em {{prazo}}' } }] }] }),
      })
      .execute(),
  )
  expect((await call(product(), constants.ops.remove, lead, { params: { id: tried.id } })).status).toBe(409)
  // And what a condition asks for, without braces.
  const asked = (await write({ name: 'regiao', value: 'Sul' })).body
  const asking = { nodeList: [{ conditions: [{ on: 'variable', data: { variable: 'regiao', condition: ['Sul'] } }] }] }
  await insert('chat_flows', { name: 'Por região', definition: JSON.stringify(asking) })
  const now = (await call(product(), variables.uses, lead)).body
  expect(now.uses).toContainEqual(expect.objectContaining({ name: 'regiao', kind: 'flow', title: 'Por região' }))
  expect((await call(product(), constants.ops.remove, lead, { params: { id: asked.id } })).status).toBe(409)
  const all = (await call(product(), variables.list, agent.token)).body
  for (const name of ['endereço', 'loja.'])
    expect(all.variables).toContainEqual(expect.objectContaining({ name, kind: 'captured', label: 'Entrada' }))

  const refused = await call(product(), constants.ops.remove, lead, { params: { id: used.id } })
  expect([refused.status, refused.body]).toMatchObject([409, { error: 'ERR_CONSTANT_USED' }])
  const renamed = { params: { id: used.id }, body: { name: 'horas' } }
  expect((await call(product(), constants.ops.update, lead, renamed)).status).toBe(409)
  const changed = { params: { id: used.id }, body: { name: 'horario', value: 'das 9h às 18h' } }
  expect((await call(product(), constants.ops.update, lead, changed)).status).toBe(200)
  expect((await call(product(), constants.ops.remove, lead, { params: { id: free.id } })).status).toBe(200)
})

test('a constant that only somebody’s own text uses stays too, and there are two hundred at most, also of twenty made at once', async () => {
  const { id } = (await write({ name: 'so_minha', value: 'x' })).body
  await insert('fast_replies', { key: 'so-minha', message: '{{so_minha}}', is_public: false, user_id: agent.id })
  expect((await call(product(), constants.ops.remove, lead, { params: { id } })).body).toMatchObject({
    error: 'ERR_CONSTANT_USED',
  })
  await product().platform.db.write(tenantId, (db) =>
    sql`insert into template_constants (tenant_id, name, value, created_at, updated_at)
      select app.tenant(), 'c' || n, 'x', app.now(), app.now()
      from generate_series(1, 198 - (select count(*) from template_constants)) n`.execute(db),
  )
  const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => write({ name: `ultima${n}`, value: 'x' })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await write({ name: 'mais_uma', value: 'x' })).toMatchObject({
    ...{ status: 409, body: { error: 'ERR_MAX_CONSTANTS' } },
  })
})
