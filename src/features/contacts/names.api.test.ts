import { beforeAll, describe, expect, it } from 'vitest'
import { lab } from '#features/lab/contract.ts'
import { make, type Person } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type ContactDetail, contacts } from './contract.ts'

const product = withProduct()

type Phone = { id: number; connectionId: number; number: string }

/** Creates a company with a virtual phone and an admin. */
async function company(): Promise<{ tenantId: number; lead: Person; phone: Phone }> {
  const m = make(product().platform)
  const tenantId = await m.tenant()
  const lead = await m.person(tenantId, { profile: 'admin', name: 'Chefe' })
  const { body } = await call(product(), lab.create, lead.token, {
    body: { name: 'Otávio', number: '(19) 99812-4407' },
  })
  return { tenantId, lead, phone: body }
}

describe('the name that a channel tells', () => {
  let tenantId: number
  let lead: Person
  let phone: Phone

  beforeAll(async () => {
    ;({ tenantId, lead, phone } = await company())
  })

  const write = async (name: string) => {
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('lab_phones').set({ name }).where('id', '=', phone.id).execute(),
    )
    const body = { id: crypto.randomUUID(), body: `Sou ${name}` }
    expect(
      (await call(product(), lab.send, lead.token, { params: { id: phone.id }, body: body as never })).status,
    ).toBe(200)
  }
  const known = async (): Promise<ContactDetail> =>
    (await call(product(), contacts.byNumber, lead.token, { params: { number: phone.number } })).body
  const called = (name: string, pushname: string) =>
    until(async () => {
      const one = await known()
      return one.name === name && one.pushname === pushname
    })

  it('names whom nobody has named, and nobody else', async () => {
    await write('Otávio')
    await called('Otávio', 'Otávio')
    await write('Otávio Rezende')
    await called('Otávio Rezende', 'Otávio Rezende')
    const { id } = await known()
    const changes = (await call(product(), contacts.changes, lead.token, { params: { id }, query: {} })).body
    expect(changes.changes[0]).toMatchObject({
      field: 'name',
      before: 'Otávio',
      after: 'Otávio Rezende',
      userName: null,
    })

    await call(product(), contacts.update, lead.token, { params: { id }, body: { name: 'Dr. Otávio' } })
    await write('Tavinho')
    await called('Dr. Otávio', 'Tavinho')
    // Also if the user entered the same name.
    await call(product(), contacts.update, lead.token, { params: { id }, body: { name: 'Tavinho' } })
    await write('Tavão')
    await called('Tavinho', 'Tavão')
  })

  it('changes nothing where the company keeps names', async () => {
    const other = await company()
    ;({ tenantId, lead, phone } = other)
    await write('Otávio')
    await called('Otávio', 'Otávio')
    await make(product().platform).setting(tenantId, 'updateNames')
    await write('Outro nome')
    const { id } = await known()
    await until(async () => {
      const reply = await product().platform.db.read(tenantId, (db) =>
        db.selectFrom('messages').select('id').where('contact_id', '=', id).execute(),
      )
      return reply.length === 2
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await known()).toMatchObject({ name: 'Otávio', pushname: 'Otávio' })
  })
})

describe('a number that somebody writes', () => {
  const create = (token: string, number: string) =>
    call(product(), contacts.create, token, { body: { name: 'Nova', number } })

  it('is asked of a channel where the company wants it, which knows its own', async () => {
    const { tenantId, lead } = await company()
    expect((await create(lead.token, '(19) 99999-0001')).status).toBe(200)
    await make(product().platform).setting(tenantId, 'validateContact')
    expect(await create(lead.token, '(19) 99999-0002')).toMatchObject({
      status: 422,
      body: { error: 'ERR_WAPP_INVALID_CONTACT', details: { number: expect.any(String) } },
    })
    const { status, body } = await create(lead.token, '(19) 99812-4407')
    expect(status).toBe(200)
    const made = body
    expect(made).toMatchObject({ isWAContact: true, channels: ['lab'] })
    // Unchanged numbers are not checked again.
    const update = (part: object) =>
      call(product(), contacts.update, lead.token, { params: { id: made.id }, body: part })
    expect((await update({ number: '19998124407', email: 'nova@x.dev' })).status).toBe(200)
    expect((await update({ number: '(19) 99999-0003' })).status).toBe(422)
    await product().platform.db.write(tenantId, (db) =>
      db.updateTable('connections').set({ status: 'DISCONNECTED' }).execute(),
    )
    expect((await create(lead.token, '(19) 99999-0004')).body).toMatchObject({ error: 'ERR_WAPP_CHECK_CONTACT' })
  })

  it('is taken where no channel can say it', async () => {
    const m = make(product().platform)
    const tenantId = await m.tenant()
    await m.setting(tenantId, 'validateContact')
    await m.connection(tenantId, { type: 'webchat' })
    // SMS reaches mobile numbers only, and cannot check accounts.
    await m.connection(tenantId, { type: 'sms', status: 'CONNECTED' })
    const { token } = await m.person(tenantId)
    for (const number of ['(19) 99999-0005', '(19) 3333-4444'])
      expect(await create(token, number)).toMatchObject({ status: 200, body: { isWAContact: null } })
  })
})
