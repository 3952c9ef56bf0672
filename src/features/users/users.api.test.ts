import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Profile } from '#domain/access/profiles.ts'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { auth } from '#features/auth/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Change } from '#server/realtime/audience.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { users } from './contract.ts'
import { ownProfile } from './profile.ts'

const product = withProduct()
const told: { tenantId: number; change: Change }[] = []
let m: ReturnType<typeof make>
let tenantId: number
let admin: { id: number; token: string }
let counter = 0
const address = () => `nova${++counter}@loja.dev`

type Body = Record<string, unknown> & { id: number; error: string; details: Record<string, string> }

const person = async (profile: Profile = 'user', tenant = tenantId) => {
  const made = await m.user(tenant, { profile })
  return { ...made, token: await m.token(made) }
}
const create = async (body: object, token = admin.token) => {
  const reply = await call(product(), users.create, token, { body: body as never })
  return { ...reply, body: reply.body as Body }
}
const change = async (id: number, body: object, token = admin.token) => {
  const reply = await call(product(), users.update, token, { params: { id }, body: body })
  return { ...reply, body: reply.body as Body }
}
const remove = (id: number, token = admin.token) => call(product(), users.remove, token, { params: { id } })
const list = async (query: object, token = admin.token) =>
  (await call(product(), users.list, token, { query: query })).body
const login = (name: string, password: string) =>
  call(product(), auth.login, null, { body: { username: name, password } })
const rowOf = (id: number) =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

beforeAll(() => {
  m = make(product().platform)
  product().platform.bus.subscribe((tenant, changes) => {
    told.push(...changes.map((one) => ({ tenantId: tenant, change: one })))
  })
})
beforeEach(async () => {
  tenantId = await m.tenant()
  admin = await person('admin')
})

describe('a new user', () => {
  it('has what the form says, logs in by both names, and is told to the company', async () => {
    const queueId = await m.queue(tenantId, { queue: 'Vendas' })
    const whatsappId = await m.connection(tenantId, { name: 'Loja' })
    const email = address()
    const { status, body } = await create({
      name: '  Bruna Prado ',
      email: email.toUpperCase(),
      username: `Bruna.${counter}`,
      password: 'Girassol!7',
      phone: '(19) 99812-4407',
      profile: 'super',
      queueIds: [queueId],
      whatsappIds: [whatsappId],
      restrictedUser: true,
      menuPermissions: { relatorios: true },
    })
    expect([status, body]).toMatchObject([
      200,
      {
        name: 'Bruna Prado',
        email,
        username: `bruna.${counter}`,
        phone: '19998124407',
        profile: 'super',
        queues: [{ id: queueId, queue: 'Vendas' }],
        whatsappAllowed: [{ id: whatsappId, name: 'Loja' }],
        restrictedUser: true,
        menuPermissions: { relatorios: true },
        isActive: true,
        isInvited: false,
        isMailed: false,
      },
    ])
    expect(JSON.stringify(body)).not.toMatch(/password|hash/i)
    for (const name of [email, `BRUNA.${counter}`]) expect((await login(name, 'Girassol!7')).status).toBe(200)
    await until(() =>
      told.some(({ change: { type, payload } }) => type === 'user:changed' && (payload as Body).userId === body.id),
    )
  })

  it('without a password gets a link that works once', async () => {
    const { body } = await create({ name: 'Caio Lima', email: address(), profile: 'user' })
    expect(body).toMatchObject({ isInvited: true, isMailed: false })
    const again = () => call(product(), users.invite, admin.token, { params: { id: body.id }, body: {} })
    const first = ((await again()).body as { link: string }).link
    const { isMailed, link } = (await again()).body as { isMailed: boolean; link: string }
    expect(isMailed).toBe(false)
    const use = (code: string) =>
      call(product(), auth.setup, null, { body: { code: code.split('=')[1]!, password: 'Girassol!7' } })
    expect((await use(first)).body).toMatchObject({ error: 'ERR_CODE_INVALID' })
    expect((await use(link)).body).toMatchObject({ userId: body.id, tenantId })
    expect((await use(link)).body).toMatchObject({ error: 'ERR_CODE_INVALID' })
    expect(await rowOf(body.id)).toMatchObject({ password_hash: expect.any(String) })
  })

  it.each([
    [{ name: 'Al' }, 'name'],
    [{ email: 'não é' }, 'email'],
    [{ username: 'com espaço' }, 'username'],
    [{ password: 'curta' }, 'password'],
    [{ phone: '5' }, 'phone'],
    [{ profile: 'dono' }, 'profile'],
    [{ menuPermissions: { configuracoes: true } }, 'menuPermissions'],
    [{ menuPermissions: { relatorios: true } }, 'menuPermissions'],
    [{ tenantId: 1 }, 'tenantId'],
    [{ tokenVersion: 1 }, 'tokenVersion'],
    [{ id: 7 }, 'id'],
  ])('is refused with %o, at its field', async (part, field) => {
    const { status, body } = await create({ name: 'Ana Melo', email: address(), profile: 'user', ...part })
    expect([status, Object.keys(body.details ?? {})[0]]).toEqual([400, field])
  })

  it.each(['12', '+99912345678', '(20) 99812-4407'])(
    'has a phone of a known country, or none: not %s',
    async (phone) => {
      const refused = { error: 'ERR_VALIDATION', details: { phone: expect.stringContaining('DDD') } }
      expect((await create({ name: 'Ana Melo', email: address(), profile: 'user', phone })).body).toMatchObject(refused)
      expect((await change((await person()).id, { phone })).body).toMatchObject(refused)
      const save = { body: { name: 'Rafael', phone } }
      expect((await call(product(), ownProfile.save, admin.token, save)).body).toMatchObject(refused)
    },
  )

  it('is refused when the company does not want any', async () => {
    await make(product().platform).setting(tenantId, 'userCreation', 'disabled')
    const { status, body } = await create({ name: 'Ana Melo', email: address(), profile: 'user' })
    expect([status, body.error]).toEqual([403, 'ERR_USER_CREATION_DISABLED'])
  })
})

describe('login names', () => {
  it('are one person’s over the installation, however many ask at once', async () => {
    const other = await person('admin', await m.tenant())
    const email = address()
    const username = `unica${counter}`
    const replies = await Promise.all([
      create({ name: 'Ana Um', email, profile: 'user' }),
      create({ name: 'Ana Dois', email, profile: 'user' }, other.token),
      create({ name: 'Ana Três', email: address(), username, profile: 'user' }),
      create({ name: 'Ana Quatro', email: address(), username, profile: 'user' }, other.token),
    ])
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 200, 200, 409])
    const refused = replies.filter((reply) => reply.status === 409).map(({ body }) => Object.keys(body.details)[0])
    expect(refused).toEqual(['username'])
    // Of two people with the same e-mail, one logs in with it, the other with a username.
    const [one, two] = replies.map(({ body }) => body.emailState)
    expect([one, two].filter((state) => state === 'waiting')).toHaveLength(1)
    expect((await list({ status: 'all' })).users.length + (await list({}, other.token)).users.length).toBe(5)
  })

  it('follow a change, and the old one is free', async () => {
    const one = await person()
    const email = address()
    expect((await change(one.id, { email, username: `novo${counter}` })).status).toBe(200)
    expect((await login(one.email, PASSWORD)).status).toBe(401)
    for (const name of [email, `novo${counter}`]) expect((await login(name, PASSWORD)).status).toBe(200)
    expect((await create({ name: 'Outra Ana', email: one.email, profile: 'user' })).status).toBe(200)
    expect((await change(one.id, { email: (await rowOf(admin.id)).email })).body).toMatchObject({
      error: 'ERR_DUPLICATED',
      details: { email: expect.any(String) },
    })
    expect((await login(email, PASSWORD)).status).toBe(200)
    await change(one.id, { username: '' })
    expect((await login(`novo${counter}`, PASSWORD)).status).toBe(401)
  })
})

describe('the plan', () => {
  const limit = (max: number) =>
    product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ max_users: max }).where('id', '=', tenantId).execute(),
    )

  it('is not exceeded, however many are created at once', async () => {
    await limit(3)
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => create({ name: `Pessoa ${n}`, email: address(), profile: 'user' })),
    )
    expect(replies.map((reply) => reply.body.error ?? 'ok').sort()).toEqual([
      'ERR_MAX_USERS',
      'ERR_MAX_USERS',
      'ERR_MAX_USERS',
      'ok',
      'ok',
    ])
    expect((await list({})).plan).toEqual({ used: 3, max: 3 })
  })

  it('counts who is active: somebody inactive makes room, and coming back needs it', async () => {
    const one = await person()
    await limit(2)
    expect((await change(one.id, { isActive: false })).status).toBe(200)
    expect((await create({ name: 'Ana Melo', email: address(), profile: 'user' })).status).toBe(200)
    expect((await change(one.id, { isActive: true })).body).toMatchObject({ error: 'ERR_MAX_USERS' })
    expect((await create({ name: 'De férias', email: address(), profile: 'user', isActive: false })).status).toBe(200)
  })
})

describe('who may do what to whom', () => {
  const wants: [Profile, Profile, object, string | number][] = [
    ['user', 'user', { name: 'Novo nome' }, 'ERR_NO_PERMISSION'],
    ['super', 'user', { name: 'Novo nome' }, 'ERR_NO_PERMISSION'],
    ['admin', 'user', { profile: 'admin' }, 200],
    ['admin', 'admin', { profile: 'user' }, 200],
    ['admin', 'user', { profile: 'superadmin' }, 'ERR_NO_PERMISSION'],
    ['admin', 'superadmin', { name: 'Novo nome' }, 'ERR_NO_PERMISSION'],
    ['admin', 'superadmin', { password: 'Girassol!7' }, 'ERR_NO_PERMISSION'],
    ['admin', 'user', { isSupport: true }, 'ERR_NO_PERMISSION'],
    ['superadmin', 'user', { isSupport: true }, 200],
    ['superadmin', 'user', { profile: 'superadmin' }, 200],
    ['superadmin', 'superadmin', { profile: 'admin' }, 200],
  ]
  it.each(wants)('a %s changing a %s: %o answers %s', async (profile, target, body, expected) => {
    const by = await person(profile)
    const one = await person(target)
    const reply = await change(one.id, body, by.token)
    expect(typeof expected === 'number' ? reply.status : reply.body.error).toBe(expected)
    if (typeof expected === 'string')
      expect(await rowOf(one.id)).toMatchObject({ profile: target, name: one.name, is_support: false })
  })

  it('nobody raises, deactivates or deletes themselves, and a password of one’s own needs the one of now', async () => {
    await person('admin')
    expect((await change(admin.id, { profile: 'superadmin' })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await change(admin.id, { profile: 'super' })).body.error).toBe('ERR_OWN_ACCESS')
    expect((await change(admin.id, { isActive: false })).body.error).toBe('ERR_OWN_ACCESS')
    expect((await remove(admin.id)).body).toMatchObject({ error: 'ERR_OWN_ACCESS' })
    expect((await change(admin.id, { password: 'Girassol!7' })).body.details).toHaveProperty('password')
    expect(
      (await call(product(), users.invite, admin.token, { params: { id: admin.id }, body: {} })).body,
    ).toMatchObject({
      error: 'ERR_OWN_ACCESS',
    })
    expect((await change(admin.id, { name: 'Outro nome' })).status).toBe(200)
  })

  it('nobody closes the own week for good; hours of one’s own are one’s own affair', async () => {
    const week = (type: 'C' | 'H') => USUAL_WEEK.map((day) => ({ ...day, type: day.day === 3 ? type : 'C' }))
    const other = await person('admin')
    expect((await change(admin.id, { businessHours: week('C') })).body.error).toBe('ERR_OWN_ACCESS')
    expect((await rowOf(admin.id)).business_hours).toBeNull()
    expect((await change(admin.id, { businessHours: week('H') })).status).toBe(200)
    expect((await change(other.id, { businessHours: week('C') })).status).toBe(200)
  })

  it('one admin stays, when two take each other’s role at once', async () => {
    const other = await person('admin')
    const replies = await Promise.all([
      change(other.id, { profile: 'user' }),
      change(admin.id, { profile: 'user' }, other.token),
    ])
    const kept = (await list({ profile: ['admin'] }, replies[0].status === 200 ? admin.token : other.token)).users
    expect(kept).toHaveLength(1)
    expect(replies.map((reply) => reply.body.error ?? 'ok')).toContain('ok')
    expect(replies.map((reply) => reply.status)).not.toEqual([200, 200])
  })

  it('the last superadmin cannot be taken away by a colleague who is one no more', async () => {
    const one = await person('superadmin')
    const two = await person('superadmin')
    const replies = await Promise.all([remove(two.id, one.token), remove(one.id, two.token)])
    expect(replies.map((reply) => reply.status).sort()).not.toEqual([200, 200])
  })

  it('colleagues are read without what is of the form', async () => {
    const one = await person()
    const colleague = await person()
    const read = async (token: string) =>
      (await call(product(), users.get, token, { params: { id: one.id } })).body as Body
    const plain = await read(colleague.token)
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['phone']))
    expect(plain).toMatchObject({ id: one.id, name: one.name, configs: null })
    expect(plain).not.toHaveProperty('settings')
    expect(await read(one.token)).toMatchObject({ phone: '', configs: { preferences: {} } })
    expect(await read(admin.token)).toMatchObject({ phone: '', isActive: true, configs: null })
    const seen = await list({ status: 'all' }, colleague.token)
    expect(seen.plan).toBeNull()
    expect(seen.users.every((row) => row.phone === undefined)).toBe(true)
  })

  it('queues and connections of another company are not there', async () => {
    const elsewhere = await m.tenant()
    const one = await person()
    const queue = await change(one.id, { queueIds: [await m.queue(elsewhere)] })
    const channel = await change(one.id, { whatsappIds: [await m.connection(elsewhere)] })
    expect([queue.body.error, channel.body.error]).toEqual(['ERR_NO_QUEUE_FOUND', 'ERR_NO_WAPP_FOUND'])
    expect((await change((await person('user', elsewhere)).id, { name: 'Alheia' })).body.error).toBe(
      'ERR_NO_USER_FOUND',
    )
  })
})

describe('a change', () => {
  it('counts at the next request, without a new login', async () => {
    const one = await person('user')
    const queueId = await m.queue(tenantId)
    await m.ticket(tenantId, { queue_id: queueId, status: 'pending' })
    const count = async () => (await call(product(), tickets.list, one.token, { query: {} })).body.tickets.length
    const mayRead = async () => (await call(product(), contacts.list, one.token, {})).status
    expect([await count(), await mayRead()]).toEqual([0, 200])
    await change(one.id, { queueIds: [queueId], restrictedUser: true })
    expect([await count(), await mayRead()]).toEqual([1, 403])
    await change(one.id, { profile: 'admin', restrictedUser: false })
    expect((await call(product(), users.create, one.token, { body: {} as never })).status).toBe(400)
  })

  it('of the role keeps of the hidden menu only what the role can have hidden', async () => {
    const one = await person('super')
    await change(one.id, { menuPermissions: { relatorios: true, massa: true } })
    await change(one.id, { profile: 'user' })
    expect(await rowOf(one.id)).toMatchObject({ menu_permissions: { massa: true } })
  })

  it('of the password ends every session', async () => {
    const one = await person()
    await change(one.id, { password: 'Girassol!7' })
    expect((await call(product(), users.get, one.token, { params: { id: one.id } })).status).toBe(401)
    expect((await login(one.email, 'Girassol!7')).status).toBe(200)
  })
})

describe('leaving', () => {
  const times = () => ({ created_at: product().platform.now(), updated_at: product().platform.now() })

  async function working() {
    const one = await person()
    const open = await m.ticket(tenantId, { user_id: one.id, status: 'open' })
    const waiting = await m.ticket(tenantId, { user_id: one.id, status: 'pending' })
    const closed = await m.ticket(tenantId, { user_id: one.id, status: 'closed' })
    const contactId = await m.contact(tenantId)
    const insert = product().platform.db.write
    await insert(tenantId, async (db) => {
      await db
        .insertInto('contact_wallets')
        .values({ tenant_id: tenantId, contact_id: contactId, user_id: one.id })
        .execute()
      for (const audience of ['company', 'person'])
        await db
          .insertInto('contact_views')
          .values({ tenant_id: tenantId, name: 'V', filter: '{}', audience, user_id: one.id, ...times() })
          .execute()
      for (const isPublic of [true, false])
        await db
          .insertInto('fast_replies')
          .values({ tenant_id: tenantId, key: `k${isPublic}`, message: 'oi', is_public: isPublic, user_id: one.id })
          .execute()
    })
    const ticketOf = async (id: number) => (await call(product(), tickets.get, admin.token, { params: { id } })).body
    return { one, open, waiting, closed, contactId, ticketOf }
  }

  it('gives open tickets back, takes the wallets, ends the sessions, and keeps the name', async () => {
    const { one, open, waiting, closed, ticketOf } = await working()
    const heard = told.length
    expect((await remove(one.id)).status).toBe(200)
    expect(await ticketOf(open)).toMatchObject({ status: 'pending', userId: null })
    expect(await ticketOf(waiting)).toMatchObject({ status: 'pending', userId: null })
    expect(await ticketOf(closed)).toMatchObject({ status: 'closed', userId: one.id, username: one.name })
    const left = await product().platform.db.read(tenantId, async (db) => ({
      wallets: await db.selectFrom('contact_wallets').select('contact_id').execute(),
      replies: await db.selectFrom('fast_replies').select(['is_public', 'user_id']).execute(),
      views: await db.selectFrom('contact_views').select(['audience', 'user_id']).execute(),
    }))
    expect(left).toEqual({
      wallets: [],
      replies: [{ is_public: true, user_id: null }],
      views: [{ audience: 'company', user_id: null }],
    })
    expect((await call(product(), users.list, one.token, {})).status).toBe(401)
    expect((await login(one.email, PASSWORD)).status).toBe(401)
    expect((await list({ status: 'all' })).users.map((row) => row.id)).toEqual([admin.id])
    expect(await rowOf(one.id)).toMatchObject({ name: one.name, email: `${one.id}@excluido`, password_hash: null })
    for (const op of [users.get, users.remove, users.endSessions] as const)
      expect((await call(product(), op, admin.token, { params: { id: one.id } })).status).toBe(404)
    expect((await create({ name: 'Quem volta', email: one.email, profile: 'user' })).status).toBe(200)
    await until(() => told.slice(heard).filter(({ change: { type } }) => type === 'ticket:update').length >= 2)
  })

  it('leaves nothing to the owner who left, and no link behind that was sent elsewhere', async () => {
    const one = await person('admin')
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ owner_id: one.id }).where('id', '=', tenantId).execute(),
    )
    product().platform.bus.stale(`settings ${tenantId}`)
    const ownerNow = async () => (await product().platform.settings.get(String(tenantId))).ownerId
    expect(await ownerNow()).toBe(one.id)
    const invite = async () =>
      (
        (await call(product(), users.invite, admin.token, { params: { id: one.id }, body: {} })).body as {
          link: string
        }
      ).link
    const works = async (link: string) =>
      (await call(product(), auth.checkSetup, null, { body: { code: link.split('=')[1]! } })).status === 200
    const first = await invite()
    expect(await works(first)).toBe(true)
    await change(one.id, { email: address() })
    expect(await works(first)).toBe(false)
    const second = await invite()
    await change(one.id, { isActive: false })
    expect([await works(second), await ownerNow()]).toEqual([false, null])
  })

  it('for a while does the same, but wallets and login name stay', async () => {
    const { one, open, closed, contactId, ticketOf } = await working()
    await change(one.id, { isActive: false })
    expect(await ticketOf(open)).toMatchObject({ status: 'pending', userId: null })
    expect(await ticketOf(closed)).toMatchObject({ userId: one.id })
    expect((await call(product(), users.list, one.token, {})).status).toBe(401)
    expect((await login(one.email, PASSWORD)).status).toBe(401)
    expect((await call(product(), users.get, (await person()).token, { params: { id: one.id } })).status).toBe(404)
    expect((await list({ status: 'inactive' })).users.map((row) => row.id)).toEqual([one.id])
    await change(one.id, { isActive: true })
    expect((await login(one.email, PASSWORD)).status).toBe(200)
    const contact = (await call(product(), contacts.get, admin.token, { params: { id: contactId } })).body
    expect(contact).toMatchObject({ wallets: [{ id: one.id }] })
  })
})

describe('the list', () => {
  it('is searched without accents, narrowed, and read page by page', async () => {
    const queueId = await m.queue(tenantId)
    await m.user(tenantId, { name: 'Álvaro Dias', profile: 'super', queues: [queueId] })
    for (let n = 0; n < 45; n++) await m.user(tenantId, { name: `Pessoa ${String(n).padStart(2, '0')}` })
    const names = async (query: object) => (await list(query)).users.map((row) => row.name)
    expect(await names({ searchParam: 'alvaro' })).toEqual(['Álvaro Dias'])
    expect(await names({ queueId })).toEqual(['Álvaro Dias'])
    expect(await names({ profile: ['super'] })).toEqual(['Álvaro Dias'])
    const first = await list({})
    expect([first.users.length, first.count, first.users[0]!.name]).toEqual([40, 47, 'Álvaro Dias'])
    expect(await names({ cursor: first.nextCursor })).toHaveLength(7)
    expect(await names({ pageNumber: 2 })).toEqual(await names({ cursor: first.nextCursor }))
  })

  it('says whom a ticket can be given to', async () => {
    const superadmin = await person('superadmin')
    const agent = await person()
    const support = await person()
    const gone = await person()
    await change(support.id, { isSupport: true }, superadmin.token)
    await change(gone.id, { isActive: false })
    const ids = (await list({ assignable: true, status: 'all' })).users.map((row) => row.id)
    expect(ids.sort()).toEqual([admin.id, agent.id].sort())
  })
})
