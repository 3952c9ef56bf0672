import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { contacts as people } from '#features/contacts/contract.ts'
import { hours } from '#features/hours/contract.ts'
import { ratings } from '#features/ratings/contract.ts'
import { settings } from '#features/settings/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { webchatOn } from '#test/webchat.ts'
import { webchat, webchatChannels } from './contract.ts'

const product = withProduct()
const { company, visit, write, read, accept, answer, open, form } = webchatOn(product)

const CONSENT = 'Concordo com o uso dos meus dados.'
const asking = {
  isOn: true,
  name: 'required',
  email: 'optional',
  phone: 'optional',
  cpf: 'optional',
  consent: CONSENT,
} as const
const ANA = { name: 'Ana Lima', email: 'ana@lima.dev', phone: '(19) 99812-4407', cpf: '529.982.247-25', isAgreed: true }

const config = async (token: string) => (await call(product(), webchat.config, null, { query: { token } })).body
const ask = (token: string, body: object = {}) => call(product(), webchat.session, null, { body: { token, ...body } })
const contacts = (tenantId: number) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select(['name', 'email', 'extra_info']).orderBy('id').execute(),
  )
type Known = { name: string; email: string; extraInfo: { id: string; name: string; value: string }[] }
const proofOf = (secret: unknown, id: string) =>
  createHmac('sha256', (secret as { proofSecret: string }).proofSecret)
    .update(id)
    .digest('hex')

/** A company that is never there, as of its hours. */
async function away(change: object = {}) {
  const made = await company(product(), { absent: { isOn: true, text: 'Deixe seu recado.' }, ...change })
  const week = USUAL_WEEK.map((day) => ({ ...day, type: 'C' as const }))
  const saved = await call(product(), hours.setWeek, made.token, { body: week })
  expect([saved.status, saved.body]).toMatchObject([200, {}])
  return made
}

describe('before the conversation', () => {
  it('says field by field what is missing or wrong, and begins with what is right', async () => {
    const { channel } = await company(product(), { form: asking })
    expect((await config(channel.token)).form).toEqual({ ...asking, isOn: undefined })
    expect((await ask(channel.token)).body).toMatchObject({
      ...{ error: 'ERR_VALIDATION' },
      details: { 'form.name': 'Informe seu nome.', 'form.isAgreed': 'Marque para continuar.' },
    })
    const wrong = { ...ANA, phone: '12', cpf: '111.111.111-11' }
    expect((await ask(channel.token, { form: wrong })).body).toMatchObject({
      details: { 'form.phone': expect.stringContaining('DDD'), 'form.cpf': expect.stringContaining('CPF') },
    })
    expect((await ask(channel.token, { form: { ...ANA, email: 'ana' } })).body).toMatchObject({
      details: { 'form.email': 'Informe um e-mail válido.' },
    })
    const visitor = await visit(channel, { form: ANA })
    // A returning visitor is not asked again.
    expect((await ask(channel.token, { visitorToken: visitor })).status).toBe(200)
  })

  it('stands with the contact, with the words that were agreed to and when', async () => {
    const { tenantId, channel } = await company(product(), { form: asking })
    const visitor = await visit(channel, { form: ANA })
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    await visit(channel, { visitorToken: visitor })
    const [contact] = await contacts(tenantId)
    expect(contact).toMatchObject({ name: 'Ana Lima', email: 'ana@lima.dev' })
    expect(contact!.extra_info).toMatchObject([
      { name: 'Telefone', value: '(19) 99812-4407' },
      { name: 'CPF', value: '529.982.247-25' },
      { name: 'Consentimento', value: expect.stringMatching(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d: Concordo com o uso/) },
    ])
  })

  it('asks nobody for whom the company’s server vouches', async () => {
    const { channel, token } = await company(product(), { form: asking })
    const made = await call(product(), webchatChannels.newSecret, token, { params: { id: channel.id } })
    const hash = proofOf(made.body, '42')
    expect((await ask(channel.token, { user: { id: '42', name: 'Bia', hash } })).status).toBe(200)
    expect((await ask(channel.token, { user: { id: '42', name: 'Bia' } })).status).toBe(400)
  })
})

describe('what the team put right of a contact', () => {
  it('stays, however often who filled in something else comes back', async () => {
    const { tenantId, token, channel } = await company(product(), { form: asking })
    const made = await call(product(), webchatChannels.newSecret, token, { params: { id: channel.id } })
    const hash = proofOf(made.body, '42')
    const visitor = await visit(channel, { form: ANA })
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const proven = await visit(channel, { visitorToken: visitor, user: { id: '42', hash } })
    const known = async () => (await call(product(), people.get, token, { params: { id } })).body as Known
    const [{ id }] = (await product().platform.db.read(tenantId, (db) =>
      db.selectFrom('contacts').select('id').execute(),
    )) as [{ id: number }]
    expect(await known()).toMatchObject({ name: 'Ana Lima', email: 'ana@lima.dev' })
    const right = { Telefone: '(19) 99812-4408', CPF: '111.444.777-35' } as Record<string, string>
    const extraInfo = (await known()).extraInfo.map((one) => ({ ...one, value: right[one.name] ?? one.value }))
    const body = { name: 'Ana de Lima', email: 'ana@delima.dev', extraInfo }
    expect((await call(product(), people.update, token, { params: { id }, body })).status).toBe(200)
    for (const user of [{ id: '42', hash }, undefined]) {
      await visit(channel, { visitorToken: proven, user })
      expect(await known()).toMatchObject(body)
    }
  })
})

it('a phone number of which the site tells stands with the contact, replaced only by one that is proven, and joins nobody', async () => {
  const { tenantId, token, channel } = await company()
  const made = await call(product(), webchatChannels.newSecret, token, { params: { id: channel.id } })
  const hash = proofOf(made.body, '42')
  const visitor = await visit(channel)
  await write(visitor, 'Oi')
  await until(async () => (await read(visitor)).messages.length === 1)
  const phone = '(19) 99812-4407'
  const other = { name: 'Outra', number: '5519998124407' }
  expect((await call(product(), people.create, token, { body: other })).status).toBe(200)
  const told = async (user: object) => {
    await visit(channel, { visitorToken: visitor, user: { id: '42', ...user } })
    const [one, two] = await contacts(tenantId)
    expect(two).toMatchObject({ name: 'Outra', extra_info: [] })
    return one!.extra_info
  }
  const first = [{ id: 'webchat:Telefone', name: 'Telefone', value: phone }]
  expect(await told({ phone })).toEqual(first)
  expect(await told({ phone: '1' })).toEqual(first)
  expect(await told({ hash })).toEqual(first)
  expect(await told({ phone: '(19) 3232-0000', hash })).toMatchObject([{ value: '(19) 3232-0000' }])
  const merged = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select('id').where('merged_into', 'is not', null).execute(),
  )
  expect(merged).toEqual([])
})

test('who proves who they are takes along what they wrote before, until somebody undoes that', async () => {
  const { tenantId, admin, token, channel } = await company()
  const made = await call(product(), webchatChannels.newSecret, token, { params: { id: channel.id } })
  const proof = (id: string) => proofOf(made.body, id)
  const texts = async (visitor: string) => (await read(visitor)).messages.map(({ body }) => body)
  const user = { id: '42', name: 'Ana Lima', hash: proof('42') }
  const phone = await visit(channel, { user })
  await write(phone, 'do celular')
  const laptop = await visit(channel)
  await write(laptop, 'de outro lugar')
  await until(async () => (await texts(phone)).length + (await texts(laptop)).length === 2)
  const parts = () =>
    product().platform.db.read(tenantId, (db) =>
      db.selectFrom('contacts').select(['id', 'merged_into']).orderBy('id').execute(),
    )
  const wrong = { visitorToken: laptop, user: { ...user, hash: proof('43') } }
  expect((await call(product(), webchat.session, null, { body: { token: channel.token, ...wrong } })).status).toBe(403)
  expect((await parts()).map(({ merged_into }) => merged_into)).toEqual([null, null])

  const [known] = await Promise.all(Array.from({ length: 4 }, () => visit(channel, { visitorToken: laptop, user })))
  if (!known) throw new Error('nobody came')
  expect(known).not.toBe(laptop)
  const [first] = await parts()
  expect((await parts()).map(({ merged_into }) => merged_into)).toEqual([null, first!.id])
  expect((await texts(known)).toSorted()).toEqual(['de outro lugar', 'do celular'])
  expect(await texts(phone)).toEqual(await texts(known))
  const page = await open(known)
  const [ticket] = await product().platform.db.read(tenantId, (db) =>
    db.selectFrom('tickets').select('id').where('status', '<>', 'closed').execute(),
  )
  const taking = { params: { id: ticket!.id }, body: { status: 'open', userId: admin.id } } as const
  expect((await call(product(), tickets.update, token, taking)).status).toBe(200)
  expect((await answer(ticket!.id, token, 'Oi, Ana')).status).toBe(200)
  await until(() => page.heard.length === 1)
  page.close()

  const list = await call(product(), people.merges, token, { params: { id: first!.id }, query: {} })
  const [one] = list.body.merges
  expect((await call(product(), people.undoMerge, token, { params: { mergeId: one!.id } })).status).toBe(200)
  expect((await parts()).map(({ merged_into }) => merged_into)).toEqual([null, null])
  expect((await texts(known)).includes('de outro lugar')).toBe(false)
  // The token from before the proof reads nothing any more; the team finds what was written by it.
  expect((await read(laptop)).messages).toBeUndefined()
  const rows = await product().platform.db.read(tenantId, (db) =>
    db
      .selectFrom('messages')
      .innerJoin('tickets', 'tickets.id', 'messages.ticket_id')
      .select(['messages.body', 'tickets.contact_id'])
      .execute(),
  )
  expect(rows.find(({ body }) => body === 'de outro lugar')?.contact_id).not.toBe(first!.id)
  // An undone merge is not repeated.
  await visit(channel, { visitorToken: laptop, user })
  expect((await parts()).map(({ merged_into }) => merged_into)).toEqual([null, null])
})

describe('while nobody is there', () => {
  it('takes a message with an e-mail address, which becomes a ticket', async () => {
    const { tenantId, channel } = await away()
    expect(await config(channel.token)).toMatchObject({ form: null, absent: 'Deixe seu recado.' })
    expect((await ask(channel.token)).body).toMatchObject({ details: { 'form.email': 'Informe seu e-mail.' } })
    const visitor = await visit(channel, { form: { ...ANA, phone: '', cpf: '' } })
    await write(visitor, 'Quanto custa o frete?')
    await until(async () => (await read(visitor)).messages.length === 1)
    await visit(channel, { visitorToken: visitor })
    expect(await contacts(tenantId)).toMatchObject([{ email: 'ana@lima.dev' }])
  })

  it('says so only where it is wanted, and only then', async () => {
    const { channel } = await away({ absent: { isOn: false, text: 'Não estamos' } })
    expect((await config(channel.token)).absent).toBeNull()
    const { channel: open } = await company(product(), { absent: { isOn: true, text: 'Não estamos' } })
    expect((await config(open.token)).absent).toBeNull()
  })
})

describe('the end', () => {
  it('comes by the visitor, once, and what they write then begins anew', async () => {
    const { tenantId, admin, token, channel } = await company()
    const visitor = await visit(channel)
    const end = () => call(product(), webchat.end, visitor, { body: {} })
    expect((await end()).status).toBe(200)
    await write(visitor, 'Oi')
    await until(async () => (await read(visitor)).messages.length === 1)
    const ticketId = await accept(token, admin.id)
    expect((await Promise.all([end(), end()])).map(({ status }) => status)).toEqual([200, 200])
    const tickets = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('tickets').select(['id', 'status']).orderBy('id').execute(),
      )
    expect(await tickets()).toEqual([{ id: ticketId, status: 'closed' }])
    await write(visitor, 'Mais uma coisa')
    await until(async () => (await read(visitor)).messages.length === 2)
    expect((await tickets()).at(-1)).toMatchObject({ status: 'pending' })
    expect((await call(product(), webchat.end, 'nada', { body: {} })).status).toBe(401)
  })

  it('leaves the conversation as a text, without what the team keeps to itself', async () => {
    const { admin, token, channel } = await company()
    const visitor = await visit(channel)
    await write(visitor, 'Tem em azul?')
    await until(async () => (await read(visitor)).messages.length === 1)
    const ticketId = await accept(token, admin.id)
    const say = (body: string, isNote: boolean) =>
      fetch(`${product().address}/api/messages/${ticketId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ body, isNote, idFront: randomUUID() }),
      })
    await say('Cliente difícil', true)
    await say('Tem, sim.', false)
    await until(async () => (await read(visitor)).messages.length === 2)
    const { name, text } = (await call(product(), webchat.transcript, visitor)).body
    expect(name).toMatch(/^conversa-\d{4}-\d\d-\d\d\.txt$/)
    expect(text).toMatch(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d Você: Tem em azul\?\r\n.*: Tem, sim\.\r\n$/)
    expect(text).not.toContain('difícil')
  })

  it('by the visitor is rated once, where the company asks, in whichever language they answer', async () => {
    const { tenantId, admin, token, channel } = await company()
    const visitor = await visit(channel, { language: 'en' })
    await write(visitor, 'Hi')
    await until(async () => (await read(visitor)).messages.length === 1)
    await accept(token, admin.id)
    const change = { params: { key: 'ratingStoreUse' }, body: { key: 'ratingStoreUse', value: 'enabled' } }
    expect((await call(product(), settings.set, token, change)).status).toBe(200)
    const end = () => call(product(), webchat.end, visitor, { body: {} })
    await Promise.all([end(), end(), end()])
    const asked = async () => (await read(visitor)).messages.filter(({ asksRating }) => asksRating)
    await until(async () => (await asked()).length === 1)
    await end()
    await write(visitor, 'Excellent')
    const given = () =>
      product().platform.db.read(tenantId, (db) =>
        db.selectFrom('ticket_evaluations').select(['status', 'evaluation']).execute(),
      )
    await until(async () => (await given())[0]?.status === 'answered')
    expect(await given()).toEqual([{ status: 'answered', evaluation: 4 }])
    const { name, text } = (await call(product(), webchat.transcript, visitor)).body
    expect(name).toMatch(/^chat-/)
    expect(text).toMatch(/ You: Hi\r\n.* Team: How was this chat\?\n0 - Poor\n.* You: Excellent\r\n/s)
  })

  it('can be rated by what the company has for it', async () => {
    const { token, channel } = await company()
    const label = (rating: number) => `Nota ${rating}`
    const rating = [5, 4, 3, 2, 1, 0].map((one) => ({ rating: one, label: label(one), message: '' }))
    expect((await call(product(), ratings.set, token, { body: rating })).status).toBe(200)
    expect((await config(channel.token)).rates).toEqual(
      [0, 1, 2, 3, 4, 5].map((one) => ({ rating: one, label: label(one) })),
    )
  })
})

describe('a channel’s page', () => {
  it('is found by the numbers of company and channel with its token, and by no others', async () => {
    const { tenantId, channel } = await company()
    const at = (path: string) => fetch(`${product().address}/widget/${path}`, { redirect: 'manual' })
    const found = await at(`${tenantId}/${channel.id}/${channel.token}`)
    expect([found.status, found.headers.get('location')]).toEqual([302, `/widget/frame?token=${channel.token}`])
    for (const path of [
      `${tenantId + 1}/${channel.id}/${channel.token}`,
      `${tenantId}/${channel.id + 1}/${channel.token}`,
      `${tenantId}/${channel.id}/nada`,
    ])
      expect((await at(path)).status).toBe(404)
  })

  it('refuses what is no page, and begins as it did where nothing was decided', async () => {
    const { token, channel } = await company()
    expect(await config(channel.token)).toMatchObject({ form: null, absent: null, openings: [], locale: 'auto' })
    const body = { ...form, openings: [{ path: 'precos', seconds: 3 }] }
    const reply = await call(product(), webchatChannels.update, token, { params: { id: channel.id }, body })
    expect(reply.body).toMatchObject({ error: 'ERR_VALIDATION' })
  })
})
