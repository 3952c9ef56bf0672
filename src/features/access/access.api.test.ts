import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS, type Permission, type PermissionSpec } from '#domain/access/permissions.ts'
import type { Profile } from '#domain/access/profiles.ts'
import { auth } from '#features/auth/contract.ts'
import { tags } from '#features/catalog/tags.ts'
import { contacts } from '#features/contacts/contract.ts'
import { messages } from '#features/messages/contract.ts'
import { ingestIdle, receive } from '#features/messages/server/index.ts'
import { queues } from '#features/queues/contract.ts'
import { settings } from '#features/settings/contract.ts'
import { type TicketDetail, type TicketRow, tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import type { SettingKey } from '#kit/settings.ts'
import { allRoutes } from '#server/app.ts'
import { unit } from '#server/context.ts'
import { make, PASSWORD } from '#test/make.ts'
import { testChannel, textEvent } from '#test/peers/channel.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { screens } from '#web/features.tsx'
import { access, type UserAccess } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)
const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

type Who = { id: number; tenantId: number; email: string; token: string }
let tenantId: number
let connectionId: number
let admin: Who

const someone = async (profile: Profile, inQueues: number[] = [], name?: string): Promise<Who> => {
  const person = await m().user(tenantId, { profile, queues: inQueues, ...(name ? { name } : {}) })
  return { ...person, token: await m().token(person) }
}
const change = async (who: Who, body: object) => {
  const reply = await call(product(), users.update, admin.token, { params: { id: who.id }, body })
  expect([reply.status, reply.body]).toMatchObject([200, {}])
}
const set = async (key: SettingKey, value: string) => {
  const reply = await call(product(), settings.set, admin.token, { params: { key }, body: { value } })
  expect(reply.status).toBe(200)
}
/** What the superadmin hides in the company. */
const hide = (menu: Record<string, boolean>) =>
  unit(product().platform, { tenantId, user: null }, async (ctx) => {
    const row = { tenant_id: tenantId, key: 'menuVisibility', value: JSON.stringify(menu) }
    await ctx.db
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doUpdateSet({ value: row.value }))
      .execute()
    ctx.stale(`settings ${tenantId}`)
  })

type Envelope = { channel: string; type: string; payload: Record<string, unknown> }

/** A browser's line and what it was told. */
async function listen(who: Who): Promise<{ heard: Envelope[]; socket: Socket }> {
  const socket = io(product().address, {
    auth: { token: who.token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  open.push(socket)
  const heard: Envelope[] = []
  socket.onAny((name: string, { type, payload }: Envelope) =>
    heard.push({ channel: name.split(':')[1] ?? name, type, payload }),
  )
  await new Promise((resolve) => socket.once('connect', () => resolve(true)))
  return { heard, socket }
}

/** Waits for the second within which a change has to take effect. */
const soon = (condition: () => boolean | Promise<boolean>) => until(condition, 1000)
const told = (heard: readonly Envelope[]) => heard.some(({ type }) => type === 'standing:changed')
const gone = (heard: readonly Envelope[]) =>
  heard.filter(({ type }) => type === 'ticket:gone').map(({ payload }) => payload['id'])

beforeAll(async () => {
  testChannel(product().platform)
  tenantId = await m().tenant()
  connectionId = await m().connection(tenantId, { type: 'test' })
  admin = await someone('admin')
})

describe('the list of permissions', () => {
  const operations = allRoutes().map(({ op }) => op)

  it('names what operations and screens ask for, and nothing else', () => {
    // Beside what a whole operation asks for, some handlers ask for more where more is wanted.
    const files = readdirSync('src/features', { recursive: true, encoding: 'utf8' })
    const within = files
      .filter((file) => /server\/.*\.ts$/.test(file))
      .flatMap((file) =>
        [...readFileSync(`src/features/${file}`, 'utf8').matchAll(/\bmay\([^()]*'([a-z-]+:[a-z-]+)'\)/g)].map(
          ([, name]) => name as string,
        ),
      )
    const asked = new Set<string>([...within, ...[...operations, ...screens].map((one) => one.can)])
    const known: string[] = Object.keys(PERMISSIONS)
    expect(known.filter((name) => !asked.has(name))).toEqual([])
    expect([...asked].filter((name) => !['public', 'session', ...known].includes(name))).toEqual([])
  })

  it('knows the screens on which a permission is used', () => {
    const paths = screens.flatMap(({ path }) => [path, `/${path.split('/')[1]}`])
    const missing = (Object.keys(PERMISSIONS) as Permission[]).flatMap((name) => {
      const { screens: used = [] }: PermissionSpec = PERMISSIONS[name]
      return used.filter((path) => !paths.includes(path)).map((path) => `${name} ${path}`)
    })
    expect(missing).toEqual([])
  })
})

describe('a standing', () => {
  it('is the same in the answer of a login and in one’s own user, and nobody else’s', async () => {
    const queueId = await m().queue(tenantId, { queue: 'Vendas' })
    const agent = await someone('user', [queueId])
    await change(agent, { menuPermissions: { massa: true, grupo: false } })
    await hide({ tarefas: true })
    const entered = await call(product(), auth.login, null, { body: { email: agent.email, password: PASSWORD } })
    const own = await call(product(), users.get, agent.token, { params: { id: agent.id } })
    const expected = {
      profile: 'user',
      queues: [{ id: queueId, queue: 'Vendas' }],
      restrictedUser: false,
      isSupport: false,
      menuVisibility: { tarefas: true, massa: true },
      settings: expect.objectContaining({ supervisorAdmin: 'disabled', timezone: 'America/Sao_Paulo' }),
    }
    expect(entered.body).toMatchObject(expected)
    expect(own.body).toMatchObject(expected)
    const { permissions } = own.body as { permissions: string[] }
    expect((entered.body as { permissions: string[] }).permissions).toEqual(permissions)
    expect(permissions).toEqual(expect.arrayContaining(['tickets:read', 'tickets:start', 'contacts:read']))
    expect(permissions).not.toContain('tickets:all')
    const other = await call(product(), users.get, admin.token, { params: { id: agent.id } })
    for (const key of ['permissions', 'menuVisibility', 'settings']) expect(other.body).not.toHaveProperty(key)
    await hide({})
  })

  it('keeps from browsers what is only the company’s business', async () => {
    await set('autoCloseMessage', 'Encerramos por aqui.')
    const own = await call(product(), users.get, admin.token, { params: { id: admin.id } })
    expect(JSON.stringify(own.body)).not.toContain('Encerramos por aqui.')
  })

  it('of a restricted user has no list of contacts', async () => {
    const agent = await someone('user')
    await change(agent, { restrictedUser: true })
    const { body } = await call(product(), users.get, agent.token, { params: { id: agent.id } })
    expect(body).toMatchObject({ restrictedUser: true, menuVisibility: { contatos: true } })
    expect((body as { permissions: string[] }).permissions).not.toContain('contacts:read')
  })
})

describe('what is hidden from the menu', () => {
  const addTag = (who: Who) =>
    call(product(), tags.ops.create, who.token, { body: { tag: randomUUID(), color: '#1C5D99' } })
  const readTags = (who: Who) => call(product(), tags.ops.list, who.token, {})

  it('may not be done either, whoever hides it; names that other screens need stay', async () => {
    const lead = await someone('super')
    expect((await addTag(lead)).status).toBe(200)
    await hide({ etiquetas: true })
    expect(await addTag(lead)).toMatchObject({ status: 403, body: { error: 'ERR_NO_PERMISSION' } })
    expect((await addTag(admin)).status).toBe(403)
    expect((await readTags(lead)).status).toBe(200)
    expect((await addTag(await someone('superadmin'))).status).toBe(200)
    await hide({})
    expect((await addTag(lead)).status).toBe(200)
    await change(lead, { menuPermissions: { etiquetas: true } })
    expect((await addTag(lead)).status).toBe(403)
    expect((await addTag(admin)).status).toBe(200)
  })

  it('can only be given to users among the screens of their group', async () => {
    const agent = await someone('user')
    const give = (menuPermissions: Record<string, boolean>) =>
      call(product(), users.update, admin.token, { params: { id: agent.id }, body: { menuPermissions } })
    expect((await give({ massa: true, kanban: false })).status).toBe(200)
    expect(await give({ filas: false })).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    expect(await give({ usuarios: true })).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
  })
})

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
    return (reply.body as { tickets: TicketRow[] }).tickets.map(({ id }) => id)
  }

  beforeAll(async () => {
    queueId = await m().queue(tenantId)
    agent = await someone('user', [queueId])
    free = await someone('user', [queueId])
    contactId = await m().contact(tenantId, secret)
    ticketId = await m().ticket(tenantId, {
      contact_id: contactId,
      connection_id: connectionId,
      conversation_key: secret.number,
      channel: 'test',
      queue_id: queueId,
      user_id: agent.id,
    })
    await change(agent, { restrictedUser: true })
  })

  it('reads five letters of a name and no number, e-mail, document, company or picture', async () => {
    const { body } = await call(product(), tickets.get, agent.token, { params: { id: ticketId } })
    const { name, profilePicUrl, contact, contactDetail } = body as TicketDetail
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
    for (const asked of ['Duarte', '99812', 'sigil']) expect(await find(admin, asked)).toEqual([ticketId])
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
    product().platform.actors.drop(`${company}:${boss.id}`)
    const shown = await m().contact(company, { name: 'Abcde Silva' })
    const ours = await m().ticket(company, { contact_id: shown, connection_id: channel })
    await m().ticket(company, {
      connection_id: channel,
      contact_id: await m().contact(company, { name: 'Zé', email: 'abcde@x.dev' }),
    })
    const reply = await call(product(), tickets.list, await m().token(boss), { query: { searchParam: 'abcde' } })
    expect((reply.body as { tickets: TicketRow[] }).tickets.map(({ id }) => id)).toEqual([ours])
  })

  it('does not begin conversations, and is told of one in the way without a name', async () => {
    const body = { contactId, whatsappId: connectionId }
    expect(await call(product(), tickets.create, agent.token, { body })).toMatchObject({ status: 403 })
    const check = await call(product(), tickets.check, agent.token, { params: { a: contactId, b: connectionId } })
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
    const before = ((await call(product(), messages.changes, agent.token)).body as { lastSeq: number }).lastSeq
    const masked = await listen(agent)
    const whole = await listen(admin)
    const said = async (body: string, id: string) => {
      const event = textEvent({ from: secret.number, name: secret.name, body, id })
      await receive(product().platform, { tenantId, connectionId }, [event])
      await ingestIdle(product().platform)
    }
    await said('Bom dia', 'um')
    const page = await call(product(), messages.list, agent.token, { params: { ticketId } })
    const [first] = (page.body as { messages: { id: string }[] }).messages
    await call(product(), messages.send, agent.token, {
      params: { ticketId },
      body: { idFront: randomUUID(), body: 'Bom dia!', isNote: false, quotedMsgId: first!.id },
    })
    await call(product(), contacts.update, admin.token, { params: { id: contactId }, body: { firstName: 'Sigilosa' } })
    await call(product(), contacts.setWallets, admin.token, {
      params: { id: contactId },
      body: { wallets: [agent.id] },
    })
    await call(product(), tickets.update, admin.token, {
      params: { id: ticketId },
      body: { tagIds: [await m().tag(tenantId)] },
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
    const theirs = (body as { messages: { id: string; fromMe: boolean }[] }).messages.find((one) => !one.fromMe)
    const sent = await call(product(), messages.send, agent.token, {
      params: { ticketId },
      body: { idFront: randomUUID(), body: 'Certo', isNote: false, quotedMsgId: theirs!.id },
    })
    expect(sent).toMatchObject({ status: 200, body: { messages: [{ quotedMsg: { author: 'Marle…' } }] } })
    for (const reply of [changed, sent]) expect(leaks(reply.body)).toEqual([])
  })
})

describe('a change of rights counts within a second, on lines that stay open', () => {
  it('a queue taken away: its tickets are gone, the standing is told, what was seen no longer is', async () => {
    const [kept, taken] = [await m().queue(tenantId), await m().queue(tenantId)]
    const agent = await someone('user', [kept, taken])
    const one = await m().ticket(tenantId, { queue_id: taken, status: 'pending' })
    const other = await m().ticket(tenantId, { queue_id: kept, status: 'pending' })
    const { heard, socket } = await listen(agent)
    const bystander = await listen(await someone('user', [kept]))
    await change(agent, { queueIds: [kept] })
    await soon(() => told(heard) && gone(heard).includes(one))
    expect(gone(heard)).toEqual([one])
    expect((await call(product(), tickets.get, agent.token, { params: { id: one } })).status).toBe(404)
    expect((await call(product(), tickets.get, agent.token, { params: { id: other } })).status).toBe(200)
    expect(socket.connected).toBe(true)
    expect(told(bystander.heard)).toBe(false)
  })

  it('a profile lowered and raised', async () => {
    const person = await someone('super')
    const { heard } = await listen(person)
    const addQueue = () => call(product(), queues.create, person.token, { body: { queue: `Fila ${randomUUID()}` } })
    expect((await addQueue()).status).toBe(200)
    const loose = await m().ticket(tenantId, { status: 'pending', queue_id: await m().queue(tenantId) })
    await change(person, { profile: 'user' })
    await soon(() => told(heard) && gone(heard).includes(loose))
    expect((await addQueue()).status).toBe(403)
    heard.length = 0
    await change(person, { profile: 'admin' })
    await soon(() => told(heard))
    expect(gone(heard)).toEqual([])
    expect((await addQueue()).status).toBe(200)
  })

  it('connections, hidden screens and the restriction', async () => {
    const person = await someone('super')
    const { heard } = await listen(person)
    for (const body of [
      { whatsappIds: [connectionId] },
      { menuPermissions: { etiquetas: true } },
      { restrictedUser: true },
    ]) {
      heard.length = 0
      await change(person, body)
      await soon(() => told(heard))
    }
    heard.length = 0
    await change(person, { name: 'Outro Nome' })
    await until(() => heard.some(({ type }) => type === 'user:changed'))
    expect(told(heard)).toBe(false)
  })

  it('the company’s menu and settings, for everybody who is concerned', async () => {
    const lead = await someone('super')
    const agent = await someone('user')
    const lines = { lead: await listen(lead), agent: await listen(agent) }
    const waiting = await m().ticket(tenantId, { status: 'pending', queue_id: await m().queue(tenantId) })
    const clear = () => {
      for (const { heard } of Object.values(lines)) heard.length = 0
    }
    await hide({ massa: true })
    await soon(() => told(lines.lead.heard) && told(lines.agent.heard))
    clear()
    await set('supervisorAdmin', 'enabled')
    await soon(() => told(lines.lead.heard) && told(lines.agent.heard) && gone(lines.lead.heard).includes(waiting))
    expect(gone(lines.agent.heard)).toEqual([])
    const all = () => call(product(), tickets.list, lead.token, { query: { showAll: true } })
    const ids = async () => ((await all()).body as { tickets: TicketRow[] }).tickets.map(({ id }) => id)
    expect(await ids()).not.toContain(waiting)
    clear()
    await set('supervisorAdmin', 'disabled')
    await soon(() => told(lines.lead.heard))
    expect(await ids()).toContain(waiting)
    clear()
    await hide({})
    await soon(() => told(lines.lead.heard))
    clear()
    // What no browser is told changes nothing for them.
    await set('autoCloseMessage', `Até logo ${randomUUID()}`)
    await until(() => lines.lead.heard.some(({ type }) => type === 'settings:changed'))
    expect(told(lines.lead.heard)).toBe(false)
  })

  it('who is made inactive is put out', async () => {
    const person = await someone('user')
    const { socket } = await listen(person)
    await change(person, { isActive: false })
    await soon(() => !socket.connected)
  })

  it('support sees as an admin does, and only the superadmin says who is support', async () => {
    const waiting = await m().ticket(tenantId, { status: 'pending', queue_id: await m().queue(tenantId) })
    const person = await someone('user')
    const { heard } = await listen(person)
    const read = async () => (await call(product(), tickets.get, person.token, { params: { id: waiting } })).status
    const flag = (who: Who, isSupport: boolean) =>
      call(product(), users.update, who.token, { params: { id: person.id }, body: { isSupport } })
    expect(await read()).toBe(404)
    expect((await flag(admin, true)).status).toBe(403)
    expect((await flag(await someone('superadmin'), true)).status).toBe(200)
    await soon(() => told(heard))
    expect(await read()).toBe(200)
    const list = await call(product(), tickets.list, person.token, { query: { showAll: true } })
    expect((list.body as { tickets: TicketRow[] }).tickets.map(({ id }) => id)).toContain(waiting)
    expect(await call(product(), users.create, person.token, { body: {} as never })).toMatchObject({ status: 403 })
  })
})

describe('the access of a user', () => {
  const read = async (who: Who) =>
    (await call(product(), access.get, admin.token, { params: { id: who.id } })).body as UserAccess

  it('says what they may do, why not, and which operations that is', async () => {
    const person = await someone('super')
    await change(person, { menuPermissions: { etiquetas: true }, restrictedUser: true })
    await set('supervisorAdmin', 'enabled')
    const { permissions, person: about, rules } = await read(person)
    const refusals = Object.fromEntries(permissions.map(({ permission, refusal }) => [permission, refusal]))
    expect(refusals).toMatchObject({
      'tickets:read': null,
      'tickets:all': 'supervisorsLimited',
      'tags:write': 'hiddenForPerson',
      'contacts:read': 'restricted',
      'users:write': 'profile',
    })
    expect(about).toMatchObject({ profile: 'super', restrictedUser: true, supervisorsLimited: true })
    const start = permissions.find(({ permission }) => permission === 'tickets:start')
    expect(start?.operations).toEqual([
      { method: 'POST', path: '/tickets', summary: 'Iniciar uma conversa com um contato por um canal' },
    ])
    expect(rules.find(({ rule }) => rule === 'showAll')).toEqual({ rule: 'showAll', applies: false })
    await set('supervisorAdmin', 'disabled')
    expect((await read(person)).rules.find(({ rule }) => rule === 'showAll')).toEqual({
      rule: 'showAll',
      applies: true,
    })
  })

  it('says of a ticket whether they see it, and which rule decided', async () => {
    const person = await someone('user')
    const loose = await m().ticket(tenantId, { status: 'pending', queue_id: await m().queue(tenantId) })
    const own = await m().ticket(tenantId, { user_id: person.id })
    const ask = async (ticketId: number, who = admin) =>
      (await call(product(), access.ticket, who.token, { params: { id: person.id, ticketId } })).body
    expect(await ask(loose)).toEqual({ visible: false, rule: 'queues' })
    expect(await ask(own)).toEqual({ visible: true, rule: 'own' })
    expect(await ask(999_999)).toMatchObject({ error: 'ERR_NO_TICKET_FOUND' })
    expect(await ask(own, person)).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  })
})
