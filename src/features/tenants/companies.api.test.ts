import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { access, type UserAccess } from '#features/access/contract.ts'
import { type AuditRow, audit } from '#features/audit/contract.ts'
import { auth } from '#features/auth/contract.ts'
import { tags } from '#features/catalog/tags.ts'
import { plans, signup } from '#features/signup/contract.ts'
import { closeTrials } from '#features/signup/server/index.ts'
import { users } from '#features/users/contract.ts'
import { userTenants } from '#features/users/user-tenants.ts'
import { webchatChannels } from '#features/webchat/contract.ts'
import type { CallInput } from '#kit/contract.ts'
import { channelTypeIds } from '#providers/channels/configs.ts'
import { type Envelope, type Who, withCompany } from '#test/company.ts'
import { make, PASSWORD } from '#test/make.ts'
import { call, ownProduct, type Reply } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Company, companies } from './companies.ts'

let ahead = 0
const product = ownProduct('has a public address', {
  now: () => new Date(Date.now() + ahead),
  env: { PUBLIC_URL: 'https://guiche.test' },
})
const company = withCompany(product)
const m = () => make(product().platform)
const DAY_MS = 86_400_000

let root: Who
beforeAll(async () => {
  const home = await m().tenant('Instalação')
  const person = await m().user(home, { profile: 'superadmin', name: 'Sônia' })
  root = { ...person, token: await m().token(person) }
})

type Form = CallInput<typeof companies.update>['body']
const needed = { name: 'Padaria Pão Quente', status: 'active', maxUsers: 3, maxConnections: 2 } as const
const create = (body: object = {}, who = root): Promise<Reply<Company>> =>
  call(product(), companies.create, who.token, { body: { ...needed, ...body } })
const made = async (body: object = {}): Promise<Company> => {
  const reply = await create(body)
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  return reply.body
}
const update = (id: number, body: Form, who = root): Promise<Reply<Company>> =>
  call(product(), companies.update, who.token, { params: { id }, body })
const read = async (id: number, who = root): Promise<Company> =>
  ((await call(product(), companies.get, who.token, { params: { id } })).body as [Company])[0]
const list = (query: object = {}, who = root) =>
  call(product(), companies.list, who.token, { query }) as Promise<
    Reply<{ tenants: Company[]; count: number; nextCursor: string | null }>
  >
const names = async (query: object) => (await list(query)).body.tenants.map(({ name }) => name)
const rowOf = (id: number) =>
  product().platform.db.asPlatform((db) =>
    db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
const soon = (condition: () => boolean) => until(condition)
const told = (heard: readonly Envelope[]) => heard.some(({ type }) => type === 'standing:changed')

describe('companies', () => {
  it('are the superadmin’s; whoever else asks is shown the own one, without what is the installation’s', async () => {
    await made({ name: 'Alheia' })
    for (const profile of PROFILES.filter((one) => one !== 'superadmin')) {
      const who = await company.someone(profile)
      const { body } = await list({ searchParam: 'Alheia' }, who)
      expect(body).toMatchObject({ tenants: [{ id: company.tenantId, status: 'active', maxUsers: 10 }], count: 1 })
      expect(await read(company.tenantId, who)).toEqual(body.tenants[0])
      for (const secret of ['identity', 'domains', 'planId', 'planName', 'ownerName', 'ownerEmail'])
        expect(body.tenants[0]).not.toHaveProperty(secret)
      expect((await create({}, who)).status).toBe(403)
      expect((await update(company.tenantId, { maxUsers: 999 }, who)).status).toBe(403)
      const counted = await call(product(), companies.metrics, who.token, { body: { tenantId: company.tenantId } })
      expect(counted.status).toBe(403)
    }
    expect((await rowOf(company.tenantId)).max_users).toBe(10)
    expect((await list({ searchParam: 'Alheia' })).body.tenants).toMatchObject([{ name: 'Alheia', domains: [] }])
  })

  it('are counted by kind, and shown by it', async () => {
    const totals = async (): Promise<Readonly<Record<string, unknown>>> =>
      (await call(product(), companies.totals, root.token)).body
    const before = await totals()
    const trial = { trial: 'enabled', trialPeriod: 3 } as const
    await made({ name: 'Quitanda em Teste', ...trial })
    await made({ name: 'Quitanda Encerrada', status: 'inactive', ...trial })
    const full = await made({ name: 'Quitanda Cheia', maxUsers: 1 })
    await m().user(full.id)
    const after = await totals()
    const grown = Object.fromEntries(Object.entries(after).map(([key, n]) => [key, Number(n) - Number(before[key])]))
    expect(grown).toMatchObject({ companies: 3, users: 1, active: 2, inactive: 1, trial: 1, ending: 1, full: 1 })
    const searchParam = 'Quitanda'
    expect(await names({ searchParam, only: 'trial' })).toEqual(['Quitanda em Teste'])
    expect(await names({ searchParam, only: 'full' })).toEqual(['Quitanda Cheia'])
    expect((await call(product(), companies.totals, (await company.someone('admin')).token)).status).toBe(403)
  })

  it.each<Profile>(['user', 'super', 'admin'])('of others do not exist for a %s', async (profile) => {
    const other = await made()
    const who = await company.someone(profile)
    const reply = await call(product(), companies.get, who.token, { params: { id: other.id } })
    expect([reply.status, reply.body]).toMatchObject([404, { error: 'ERR_NO_TENANT_FOUND' }])
  })

  it('that are not there cannot be read, changed or counted', async () => {
    for (const reply of [
      await call(product(), companies.get, root.token, { params: { id: 999_999 } }),
      await update(999_999, { name: 'Ninguém' }),
      await call(product(), companies.metrics, root.token, { body: { tenantId: 999_999 } }),
    ])
      expect([reply.status, reply.body]).toMatchObject([404, { error: 'ERR_NO_TENANT_FOUND' }])
  })

  it('show how many messages each had a day, today last; the superadmin alone reads that', async () => {
    const one = await made()
    const idle = await made()
    const ticket = await m().ticket(one.id)
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
    for (const days of [0, 0, 1, 29, 40]) await m().message(one.id, ticket, { timestamp: ago(days) })
    const ask = (who: Who) =>
      call(product(), companies.trends, who.token, { query: { ids: [one.id, idle.id, 2 ** 40] } })
    const { body } = await ask(root)
    const { trends } = body as { trends: { days: number[] }[] }
    const [of, none] = trends
    expect(trends).toHaveLength(2)
    expect([of!.days.length, of!.days.at(-1), of!.days.at(-2), of!.days[0]]).toEqual([30, 2, 1, 1])
    expect(none!.days.reduce((sum, n) => sum + n, 0)).toBe(0)
    expect((await ask(await company.someone('admin'))).status).toBe(403)
  })

  it('are listed by name with what they use, found by name, identity, domain and administrator, page by page', async () => {
    const one = await made({ name: 'Élan Móveis', identity: 'Contrato 77', domains: ['elan.test'], maxUsers: 5 })
    const boss = await m().user(one.id, { profile: 'admin', name: 'Otávio Élan', email: 'otavio@elan.test' })
    await product().platform.db.asPlatform((db) =>
      db.updateTable('tenants').set({ owner_id: boss.id }).where('id', '=', one.id).execute(),
    )
    await m().connection(one.id)
    await m().connection(one.id, { is_deleted: true })
    await made({ name: 'Élan Cozinhas', status: 'inactive' })
    for (const searchParam of ['elan moveis', 'contrato 77', 'elan.test', 'otavio'])
      expect([searchParam, await names({ searchParam })]).toEqual([searchParam, ['Élan Móveis']])
    expect(await names({ searchParam: 'élan' })).toEqual(['Élan Cozinhas', 'Élan Móveis'])
    expect(await names({ searchParam: 'élan', status: 'inactive' })).toEqual(['Élan Cozinhas'])
    expect(await names({ searchParam: '100%' })).toEqual([])
    expect((await list({ searchParam: 'elan moveis' })).body).toMatchObject({
      tenants: [{ users: 1, maxUsers: 5, connections: 1, maxConnections: 2, ownerName: 'Otávio Élan' }],
      count: 1,
      hasMore: false,
    })
    for (let n = 0; n < 42; n++) await m().tenant(`Paginada ${String(n).padStart(2, '0')}`)
    const first = (await list({ searchParam: 'paginada' })).body
    const next = (await list({ searchParam: 'paginada', cursor: first.nextCursor })).body.tenants
    expect([first.tenants.length, next.map(({ name }) => name)]).toEqual([40, ['Paginada 40', 'Paginada 41']])
    expect((await list({ pageNumber: 51 })).status).toBe(400)
  })
})

describe('a new company', () => {
  it('is made as one that signs up is: the same defaults, wherever nothing else is said', async () => {
    const plan = { name: 'Igual', value: '10', connections: 2, users: 3, trial: false, trialPeriod: 0, isActive: true }
    const { id: planId } = (await call(product(), plans.create, root.token, { body: plan })).body as { id: number }
    await call(product(), plans.open, root.token, { body: { isOpen: true } })
    const form = { name: 'Cadastrada', email: 'dona@pao.test', mobilePhone: '11987654321', password: 'Senha!2026' }
    await call(product(), signup.create, null, { body: { ...form, cpfCnpj: '529.982.247-25', planId } })
    const { tenants } = (await list({ searchParam: 'Cadastrada' })).body
    const own = await made({ name: 'Criada', identity: '529.982.247-25', planId })
    const [a, b] = [await rowOf(tenants[0]!.id), await rowOf(own.id)]
    const aside = { id: 0, name: '', owner_id: null, created_at: null, updated_at: null }
    expect({ ...b, ...aside }).toEqual({ ...a, ...aside })
    const settingsOf = async (id: number) => {
      product().platform.settings.delete(String(id))
      const { tenantName: _, ownerId: __, ...rest } = await product().platform.settings.get(String(id))
      return rest
    }
    expect(await settingsOf(own.id)).toEqual(await settingsOf(tenants[0]!.id))
  })

  it('gets its first user from the superadmin, who can enter; the first administrator owns it', async () => {
    const { id } = await made({ name: 'Vazia', maxUsers: 1 })
    expect(await read(id)).toMatchObject({ users: 0, ownerName: null, planName: null, trial: 'disabled' })
    const add = (email: string, profile: Profile) =>
      call(product(), userTenants.create, root.token, {
        body: { tenantId: id, name: 'Dona Vera', email, profile, password: PASSWORD },
      })
    expect((await add('vera@vazia.test', 'admin')).status).toBe(200)
    expect(await read(id)).toMatchObject({ users: 1, ownerName: 'Dona Vera', ownerEmail: 'vera@vazia.test' })
    expect(await add('outra@vazia.test', 'admin')).toMatchObject({ status: 403, body: { error: 'ERR_MAX_USERS' } })
    await update(id, { maxUsers: 2 })
    expect((await add('outra@vazia.test', 'admin')).status).toBe(200)
    expect(await read(id)).toMatchObject({ users: 2, ownerEmail: 'vera@vazia.test' })
    const entered = await call(product(), auth.login, null, { body: { email: 'vera@vazia.test', password: PASSWORD } })
    expect(entered.body).toMatchObject({ tenantId: id, profile: 'admin' })
  })

  it.each<[object, string, string]>([
    [{ name: 'ab' }, 'name', 'Use ao menos 3 caracteres.'],
    [{ status: 'suspensa' }, 'status', 'Escolha a situação.'],
    [{ maxUsers: 0 }, 'maxUsers', 'Ao menos 1.'],
    [{ maxConnections: 1.5 }, 'maxConnections', 'Informe um número inteiro.'],
    [{ identity: '529.982.247-26' }, 'identity', 'Este CPF ou CNPJ não confere.'],
    [{ identity: '12.ABC.345/01DE-36' }, 'identity', 'Este CPF ou CNPJ não confere.'],
    [{ trial: 'enabled' }, 'trialPeriod', 'Informe quantos dias dura o teste.'],
    [{ trial: 'enabled', trialPeriod: 366 }, 'trialPeriod', 'No máximo 365 dias.'],
    [{ timezone: 'America/Lua' }, 'timezone', 'Escolha um fuso horário.'],
    [{ domains: ['https://loja.test'] }, 'domains.0', 'Informe só o endereço, como atendimento.empresa.com.br.'],
    [{ allowedChannels: ['telex'] }, 'allowedChannels.0', 'Canal desconhecido.'],
    [{ menuVisibility: { '/tags?': true } }, 'menuVisibility', 'Nome de rota inválido.'],
  ])('says at the field what is wrong: %j', async (body, field, message) => {
    const reply = await create(body)
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'ERR_VALIDATION' }])
    const { details } = reply.body as unknown as { details: Record<string, string> }
    expect(details[field]).toBe(message)
  })

  it('keeps a document without its mask, and any other reference as it is', async () => {
    expect((await made({ identity: '12.abc.345/01de-35' })).identity).toBe('12ABC34501DE35')
    expect((await made({ identity: 'Contrato 2026/17' })).identity).toBe('Contrato 2026/17')
  })

  it('takes from nobody what is not the form’s', async () => {
    for (const extra of [
      { id: 7 },
      { ownerId: 1 },
      { owner_id: 1 },
      { createdAt: '2020-01-01' },
      { trialEndsAt: null },
    ]) {
      const field = Object.keys(extra)[0]!
      const refused = { details: { [field]: 'Campo desconhecido.' } }
      expect((await create(extra)).body).toMatchObject(refused)
      expect((await update(company.tenantId, extra as Form)).body).toMatchObject(refused)
    }
  })
})

describe('a company that is changed', () => {
  it('keeps what is not said; the plan is one that there is', async () => {
    const before = await made({ identity: 'Contrato 1', domains: ['fica.test'], menuVisibility: { filas: true } })
    const { body: after } = await update(before.id, { maxUsers: 50 })
    expect(after).toEqual({ ...before, maxUsers: 50, updatedAt: expect.any(String) })
    expect(await read(before.id)).toEqual(after)
    expect(await update(before.id, { planId: 999_999 })).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_PLAN_FOUND' },
    })
    expect((await read(before.id)).planId).toBeNull()
  })

  it('that is the first, or the superadmin’s own, cannot be shut', async () => {
    const home = await update(root.tenantId, { status: 'inactive' })
    const sentence = `Não é possível desativar a Empresa ${root.tenantId}!`
    expect([home.status, home.body]).toMatchObject([400, { details: { status: sentence } }])
    const first = await update(1, { status: 'inactive' })
    expect([400, 404]).toContain(first.status)
    expect((await update(root.tenantId, { status: 'active', name: 'Instalação' })).status).toBe(200)
  })

  it('leaves no end of its trial behind when it pays: the round that closes trials passes it by', async () => {
    const { id, trialEndsAt, trialPeriod } = await made({ trial: 'enabled', trialPeriod: 5 })
    expect(trialPeriod).toBe(5)
    expect((Date.parse(trialEndsAt!) - Date.now()) / DAY_MS).toBeCloseTo(5, 1)
    const other = await made({ trial: 'enabled', trialPeriod: 5 })
    expect((await update(id, { trial: 'disabled' })).body).toMatchObject({ trialEndsAt: null, trialPeriod: 0 })
    const person = await m().user(id, { profile: 'admin' })
    try {
      ahead = 400 * DAY_MS
      await closeTrials(product().platform)
      const later = { ...root, token: await m().token(root) }
      expect([(await read(id, later)).status, (await read(other.id, later)).status]).toEqual(['active', 'inactive'])
      const entered = await call(product(), auth.login, null, { body: { email: person.email, password: PASSWORD } })
      expect(entered.status).toBe(200)
      const reopen = (form: Form) => update(other.id, form, later)
      const lapsed = { trialPeriod: 'Com estes dias o teste já terminou. Aumente-os ou desligue o teste.' }
      expect((await reopen({ status: 'active' })).body).toMatchObject({ details: lapsed })
      expect((await reopen({ status: 'active', trialPeriod: 6 })).body).toMatchObject({ details: lapsed })
      expect((await reopen({ name: 'Só o nome' })).status).toBe(200)
      expect((await reopen({ status: 'active', trial: 'disabled' })).body).toMatchObject({ status: 'active' })
    } finally {
      ahead = 0
    }
  })

  it('has host names of its own: nobody else’s, nor the installation’s', async () => {
    const one = await made({ domains: ['Chat.Loja.test', 'chat.loja.test', 'loja.test'] })
    expect(one.domains).toEqual(['chat.loja.test', 'loja.test'])
    const other = await made()
    const taken = { error: 'ERR_DUPLICATED', details: { domains: 'loja.test já é de outra empresa.' } }
    expect(await update(other.id, { name: 'Outro nome', domains: ['nova.test', 'loja.test'] })).toMatchObject({
      status: 409,
      body: taken,
    })
    // All or nothing.
    expect(await read(other.id)).toMatchObject({ name: needed.name, domains: [] })
    expect((await create({ name: 'Terceira', domains: ['loja.test'] })).body).toMatchObject(taken)
    expect(await names({ searchParam: 'Terceira' })).toEqual([])
    await update(one.id, { domains: ['chat.loja.test'] })
    expect((await update(other.id, { domains: ['loja.test'] })).status).toBe(200)
    expect((await update(other.id, { domains: ['guiche.test'] })).body).toMatchObject({
      error: 'ERR_VALIDATION',
      details: { domains: 'guiche.test é o endereço da instalação, por onde todas entram.' },
    })
    const raced = await Promise.all([one.id, other.id].map((id) => update(id, { domains: ['corrida.test'] })))
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('is known by its domain at the login: others are refused there, and let in once it is taken away', async () => {
    const stranger = await company.someone('user')
    const { port } = new URL(product().address)
    const enter = () =>
      new Promise<string>((resolve, reject) => {
        const headers = { host: 'porta.test', 'content-type': 'application/json' }
        request({ port, host: '127.0.0.1', method: 'POST', path: '/api/auth/login', headers }, (reply) =>
          resolve(json(reply).then((body) => Object(body).error ?? Object(body).profile)),
        )
          .on('error', reject)
          .end(JSON.stringify({ email: stranger.email, password: PASSWORD }))
      })
    const { id } = await made({ domains: ['porta.test'] })
    expect(await enter()).toBe('INVALID_DOMAIN')
    await update(id, { domains: [] })
    expect(await enter()).toBe('user')
  })

  it('is recorded in the installation’s log and its own, with what it was and is; a refusal with its code', async () => {
    const { id } = await made({ name: 'Vigiada' })
    const admin = await m().user(id, { profile: 'admin' })
    await update(id, { maxUsers: 9, menuVisibility: { filas: true } })
    await update(id, { name: 'Vigiada' }, await company.someone('admin'))
    const expected = {
      action: 'companies.update',
      result: 'ok',
      userName: 'Sônia',
      target: { tenantId: id },
      changes: {
        maxUsers: { before: 3, after: 9 },
        menuVisibility: { before: {}, after: { filas: true } },
      },
    }
    const own = await call(product(), audit.list, await m().token(admin), { query: {} })
    const ownRecords = (own.body as { records: AuditRow[] }).records
    expect(ownRecords[0]).toMatchObject(expected)
    expect(ownRecords[1]).toMatchObject({ action: 'companies.create', changes: { name: { after: 'Vigiada' } } })
    const whole = await call(product(), audit.platformList, root.token, { query: {} })
    const [refused, updated] = (whole.body as { records: AuditRow[] }).records
    expect(refused).toMatchObject({ action: 'companies.update', result: 'ERR_NO_PERMISSION' })
    expect(updated).toMatchObject(expected)
  })
})

describe('a change of a company counts within a second, on lines that stay open', () => {
  it('menus are hidden and shown again, on the server too; names without a screen are kept', async () => {
    const lead = await company.someone('super')
    const { heard, socket } = await company.listen(lead)
    const addTag = (tag: string) => call(product(), tags.ops.create, lead.token, { body: { tag, color: '#1C5D99' } })
    expect((await addTag('Antes')).status).toBe(200)
    const menuVisibility = { etiquetas: true, 'chat-privado': true, filas: false }
    expect((await update(company.tenantId, { menuVisibility })).body).toMatchObject({ menuVisibility })
    await soon(() => told(heard))
    expect((await addTag('Escondida')).status).toBe(403)
    const own = await call(product(), users.get, lead.token, { params: { id: lead.id } })
    expect(own.body).toMatchObject({ menuVisibility })
    heard.length = 0
    await update(company.tenantId, { menuVisibility: {} })
    await soon(() => told(heard))
    expect((await addTag('Depois')).status).toBe(200)
    expect(socket.connected).toBe(true)
  })

  it('who is inside a company that is shut is put out with the reason, and can come back when it opens', async () => {
    const { id } = await made()
    const person = await m().user(id, { profile: 'admin' })
    const who = { ...person, token: await m().token(person) }
    const { socket } = await company.listen(who)
    const ask = () => call(product(), users.get, who.token, { params: { id: who.id } })
    expect((await ask()).status).toBe(200)
    await update(id, { status: 'inactive' })
    await soon(() => !socket.connected)
    expect(await ask()).toMatchObject({ status: 403, body: { error: 'ERR_TENANT_INACTIVE' } })
    const enter = () => call(product(), auth.login, null, { body: { email: person.email, password: PASSWORD } })
    expect((await enter()).body).toMatchObject({ error: 'ERR_TENANT_INACTIVE' })
    await update(id, { status: 'active' })
    expect([(await ask()).status, (await enter()).status]).toEqual([200, 200])
  })

  it('a channel that is left out is the plan’s reason; what is there stays, and nothing new is made', async () => {
    const { admin } = company
    const { heard } = await company.listen(admin)
    const look = {
      title: 'Fale',
      welcome: 'Olá',
      away: 'Já vamos',
      color: null,
      position: 'right',
      theme: 'auto',
    } as const
    const form = { name: 'Site', queueId: null, look, domains: [], requiresProof: false }
    const add = () => call(product(), webchatChannels.create, admin.token, { body: form })
    const first = await add()
    expect(first.status).toBe(200)
    const { token } = first.body as { token: string }
    const reasons = async () => {
      const reply = await call(product(), access.get, admin.token, { params: { id: admin.id } })
      const { permissions } = reply.body as UserAccess
      return Object.fromEntries(permissions.map(({ permission, refusal }) => [permission, refusal]))
    }
    expect(await reasons()).toMatchObject({ 'webchat:write': null, 'lab:use': null })
    expect((await update(company.tenantId, { allowedChannels: ['lab'] })).body.allowedChannels).toEqual(['lab'])
    await soon(() => told(heard))
    expect(await reasons()).toMatchObject({ 'webchat:write': 'plan', 'lab:use': null, 'tags:write': null })
    expect(await add()).toMatchObject({ status: 403, body: { error: 'ERR_CHANNEL_NOT_ALLOWED' } })
    const shop = await fetch(`${product().address}/api/webchat/config?token=${token}`)
    expect(shop.status).toBe(200)
    expect((await read(company.tenantId)).connections).toBeGreaterThan(1)
    heard.length = 0
    await update(company.tenantId, { allowedChannels: channelTypeIds() })
    await soon(() => told(heard))
    expect((await rowOf(company.tenantId)).allowed_channels).toBeNull()
    expect((await add()).status).toBe(200)
  })

  it('the time zone is told, and fewer connections than there are block new ones only', async () => {
    const { admin } = company
    const { heard } = await company.listen(admin)
    await update(company.tenantId, { timezone: 'America/Manaus', maxConnections: 1 })
    await soon(() => told(heard))
    const own = await call(product(), users.get, admin.token, { params: { id: admin.id } })
    expect(own.body).toMatchObject({ settings: { timezone: 'America/Manaus' } })
    const channels = await call(product(), webchatChannels.list, admin.token)
    expect((channels.body as { channels: unknown[] }).channels.length).toBeGreaterThan(1)
    await update(company.tenantId, { timezone: 'America/Sao_Paulo', maxConnections: 5 })
  })
})

it('the metrics of a company are its own: messages that went and came, tickets by status, contacts', async () => {
  const { id } = await made()
  const next = await made()
  await m().contact(next.id)
  const connection_id = await m().connection(id)
  const open = await m().ticket(id, { connection_id })
  await m().ticket(id, { connection_id, status: 'pending' })
  await m().ticket(id, { connection_id, status: 'closed' })
  await m().message(id, open)
  await m().message(id, open)
  for (const row of [
    { status: 'read' },
    { status: 'failed' },
    { status: 'sent', is_note: true },
    { status: 'pending', schedule_date: new Date(Date.now() + DAY_MS) },
    { status: 'pending', schedule_date: new Date(Date.now() + 2 * DAY_MS) },
  ])
    await m().message(id, open, { from_me: true, ...row })
  const reply = await call(product(), companies.metrics, root.token, { body: { tenantId: id } })
  expect(reply.body).toEqual({
    totalMessages: { sent: 1, received: 2 },
    tickets: { total: 3, open: 1, pending: 1, closed: 1, schedule: 1 },
    contacts: { total: 3 },
  })
})
