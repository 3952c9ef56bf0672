import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { PermissionSpec } from '#domain/access/permissions.ts'
import { auth } from '#features/auth/contract.ts'
import { tags } from '#features/catalog/tags.ts'
import { queues } from '#features/queues/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { users } from '#features/users/contract.ts'
import { PERMISSIONS, type Permission } from '#kit/permissions.ts'
import { allRoutes } from '#server/app.ts'
import { features } from '#server/features.ts'
import { type Envelope, type Who, withCompany } from '#test/company.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { screens } from '#web/features.tsx'
import { access } from './contract.ts'

const product = withProduct()
const m = () => make(product().platform)
const company = withCompany(product)
const { someone, change, set, hide, listen } = company

/** Waits for the second within which a change has to take effect. */
const soon = (condition: () => boolean | Promise<boolean>) => until(condition)
const told = (heard: readonly Envelope[]) => heard.some(({ type }) => type === 'standing:changed')
const gone = (heard: readonly Envelope[]) =>
  heard.filter(({ type }) => type === 'ticket:gone').map(({ payload }) => payload['id'])

describe('the list of permissions', () => {
  const operations = allRoutes().map(({ op }) => op)
  // Earlier tests may have registered features.
  const known = (Object.keys(PERMISSIONS) as Permission[]).filter(
    (name) => name.startsWith('platform:') || features.some(({ permissions = {} }) => name in permissions),
  )

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
    expect(known.filter((name) => !asked.has(name))).toEqual([])
    expect([...asked].filter((name) => !['public', 'session', ...known].includes(name as Permission))).toEqual([])
  })

  it('knows the screens on which a permission is used', () => {
    const paths = screens.flatMap(({ path }) => [path, `/${path.split('/')[1]}`])
    const missing = known.flatMap((name) => {
      const { screens: used = [] }: PermissionSpec = PERMISSIONS[name]
      return used.filter((path) => !paths.includes(path)).map((path) => `${name} ${path}`)
    })
    expect(missing).toEqual([])
  })
})

describe('a standing', () => {
  it('is the same in the answer of a login and in one’s own user, and nobody else’s', async () => {
    const queueId = await m().queue(company.tenantId, { queue: 'Vendas' })
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
    const other = await call(product(), users.get, company.admin.token, { params: { id: agent.id } })
    for (const key of ['permissions', 'menuVisibility', 'settings']) expect(other.body).not.toHaveProperty(key)
    await hide({})
  })

  it('keeps from browsers what is only the company’s business', async () => {
    await set('autoCloseMessage', 'Encerramos por aqui.')
    const own = await call(product(), users.get, company.admin.token, { params: { id: company.admin.id } })
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
    expect((await addTag(company.admin)).status).toBe(403)
    expect((await readTags(lead)).status).toBe(200)
    expect((await addTag(await someone('superadmin'))).status).toBe(200)
    await hide({})
    expect((await addTag(lead)).status).toBe(200)
    await change(lead, { menuPermissions: { etiquetas: true } })
    expect((await addTag(lead)).status).toBe(403)
    expect((await addTag(company.admin)).status).toBe(200)
  })

  it('can only be given to users among the screens of their group', async () => {
    const agent = await someone('user')
    const give = (menuPermissions: Record<string, boolean>) =>
      call(product(), users.update, company.admin.token, { params: { id: agent.id }, body: { menuPermissions } })
    expect((await give({ massa: true, kanban: false })).status).toBe(200)
    expect(await give({ filas: false })).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    expect(await give({ usuarios: true })).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
  })
})

describe('a change of rights counts within a second, on lines that stay open', () => {
  it('a queue taken away: its tickets are gone, the standing is told, what was seen no longer is', async () => {
    const [kept, taken] = [await m().queue(company.tenantId), await m().queue(company.tenantId)]
    const agent = await someone('user', [kept, taken])
    const one = await m().ticket(company.tenantId, { queue_id: taken, status: 'pending' })
    const other = await m().ticket(company.tenantId, { queue_id: kept, status: 'pending' })
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
    const loose = await m().ticket(company.tenantId, { status: 'pending', queue_id: await m().queue(company.tenantId) })
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
      { whatsappIds: [company.connectionId] },
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
    const waiting = await m().ticket(company.tenantId, {
      status: 'pending',
      queue_id: await m().queue(company.tenantId),
    })
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
    const ids = async () => (await all()).body.tickets.map(({ id }) => id)
    expect(await ids()).not.toContain(waiting)
    clear()
    await set('supervisorAdmin', 'disabled')
    await soon(() => told(lines.lead.heard))
    expect(await ids()).toContain(waiting)
    clear()
    await hide({})
    await soon(() => told(lines.lead.heard))
    clear()
    // A setting that no browser receives changes nothing for it.
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
    const waiting = await m().ticket(company.tenantId, {
      status: 'pending',
      queue_id: await m().queue(company.tenantId),
    })
    const person = await someone('user')
    const { heard } = await listen(person)
    const read = async () => (await call(product(), tickets.get, person.token, { params: { id: waiting } })).status
    const flag = (who: Who, isSupport: boolean) =>
      call(product(), users.update, who.token, { params: { id: person.id }, body: { isSupport } })
    expect(await read()).toBe(404)
    expect((await flag(company.admin, true)).status).toBe(403)
    expect((await flag(await someone('superadmin'), true)).status).toBe(200)
    await soon(() => told(heard))
    expect(await read()).toBe(200)
    const list = await call(product(), tickets.list, person.token, { query: { showAll: true } })
    expect(list.body.tickets.map(({ id }) => id)).toContain(waiting)
    expect(await call(product(), users.create, person.token, { body: {} as never })).toMatchObject({ status: 403 })
  })
})

describe('the access of a user', () => {
  const read = async (who: Who) =>
    (await call(product(), access.get, company.admin.token, { params: { id: who.id } })).body

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
      {
        ...{ method: 'GET', path: '/ticketsReach' },
        summary:
          'De quem é um número, ou quem é um contato, e por quais canais se pode escrever a ele; os que servem primeiro',
      },
      {
        ...{ method: 'POST', path: '/ticketsBegin' },
        summary:
          'Escrever a um contato ou a um número por um canal: abre o atendimento que já existe, ou começa um; o número novo vira contato',
      },
      {
        method: 'POST',
        path: '/noRedis',
        summary:
          'Enviar a um número, sem escolher antes contato nem atendimento; com o envio rápido ligado, à frente da fila',
      },
      {
        method: 'POST',
        path: '/messagesSchedule',
        summary: 'Agendar uma mensagem para um contato, com ou sem atendimento aberto; não reabre nem assume nenhum',
      },
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
    const loose = await m().ticket(company.tenantId, { status: 'pending', queue_id: await m().queue(company.tenantId) })
    const own = await m().ticket(company.tenantId, { user_id: person.id })
    const ask = async (ticketId: number, who = company.admin) =>
      (await call(product(), access.ticket, who.token, { params: { id: person.id, ticketId } })).body
    expect(await ask(loose)).toEqual({ visible: false, rule: 'queues' })
    expect(await ask(own)).toEqual({ visible: true, rule: 'own' })
    expect(await ask(999_999)).toMatchObject({ error: 'ERR_NO_TICKET_FOUND' })
    expect(await ask(own, person)).toMatchObject({ error: 'ERR_NO_PERMISSION' })
  })
})
