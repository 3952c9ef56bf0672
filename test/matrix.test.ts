import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS, type Permission } from '#domain/access/permissions.ts'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import type { Operation } from '#kit/contract.ts'
import { allRoutes } from '#server/app.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'
import { inputSchema, sample } from '#test/sample.ts'
import { call, type Reply, withProduct } from '#test/server.ts'

/**
 * Every operation of every contract: nobody, the wrong role, another company's rows, a bad body, an answer by its schema.
 * A new operation is covered by being there; only a new kind of row needs a maker.
 */
const operations = allRoutes().map(({ op }) => op)
// Two clients: whoever asks for a second one while it has one waits for itself.
const product = withProduct({ env: { DB_POOL: 2 } })

type Id = number | string
type Company = { tenantId: number; tokens: Record<Profile, string>; userId: number }
/** Makes a row; `beside` are the parameters that stand before it in the address. */
type Maker = (company: Company, beside: Readonly<Record<string, Id>>) => Promise<Id>
let ours: Company
let theirs: Company

const m = () => make(product().platform)
const ticketOf = async ({ tenantId, userId }: Company) => m().ticket(tenantId, { user_id: userId, status: 'open' })
const connectionOf = ({ tenantId }: Company, type: string) => m().connection(tenantId, { type })
const phoneOf = async (company: Company) =>
  m().insert('lab_phones', company.tenantId, {
    connection_id: await connectionOf(company, 'lab'),
    name: 'Telefone',
    number: `55119${String(Date.now()).slice(-8)}`,
  })

/** How one row of each kind is made. */
const makers = {
  ticket: ticketOf,
  message: async (company) =>
    m().message(company.tenantId, await ticketOf(company), {
      from_me: true,
      status: 'failed',
      user_id: company.userId,
    }),
  contact: ({ tenantId }) => m().contact(tenantId),
  number: async ({ tenantId }) => {
    const number = `5521${980_000_000 + Math.floor(Math.random() * 9_999_999)}`
    await m().contact(tenantId, { number })
    return number
  },
  connection: (company) => connectionOf(company, 'lab'),
  webchat: (company) => connectionOf(company, 'webchat'),
  queue: ({ tenantId }) => m().queue(tenantId),
  tag: ({ tenantId }) => m().tag(tenantId),
  team: ({ tenantId }) => m().insert('teams', tenantId, { name: `Equipe ${Math.random()}` }),
  colleague: async ({ tenantId }) => (await m().user(tenantId)).id,
  fastReply: ({ tenantId }) => m().insert('fast_replies', tenantId, { key: `k${Math.random()}`, message: 'Olá' }),
  user: async ({ userId }) => userId,
  session: async ({ tenantId, userId }) => {
    const id = uuidv7()
    const row = { tenant_id: tenantId, id, user_id: userId, refresh_hash: Buffer.from(id) }
    await product().platform.db.asPlatform((db) =>
      db
        .insertInto('sessions')
        .values({ ...row, expires_at: new Date(Date.now() + 86_400_000) })
        .execute(),
    )
    return id
  },
  plan: async () => {
    const plan = { name: `Plano ${Math.random()}`, value: '10', connections: 1, users: 1 }
    const made = await product().platform.db.asPlatform((db) =>
      db.insertInto('plans').values(plan).returning('id').executeTakeFirstOrThrow(),
    )
    return made.id
  },
  passkey: ({ tenantId, userId }) =>
    m().insert('passkeys', tenantId, {
      user_id: userId,
      name: 'Celular',
      rp_id: 'localhost',
      credential_id: crypto.randomUUID(),
      public_key: Buffer.from('chave'),
    }),
  evaluation: async (company) => {
    const id = await ticketOf(company)
    const { contact_id, connection_id, conversation_key } = await product().platform.db.asPlatform((db) =>
      db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    )
    const at = new Date()
    return m().insert('ticket_evaluations', company.tenantId, {
      ticket_id: id,
      contact_id,
      connection_id,
      conversation_key,
      closed_at: at,
      asked_at: at,
      expires_at: at,
    })
  },
  tenant: async ({ tenantId }) => tenantId,
  company: async ({ tenantId }) => tenantId,
  setting: async () => 'nullTickets',
  phone: phoneOf,
  labMessage: async ({ tenantId }, { id }) => {
    const message = uuidv7()
    await product().platform.db.write(tenantId, (db) =>
      db
        .insertInto('lab_messages')
        .values({
          tenant_id: tenantId,
          id: message,
          phone_id: id as number,
          provider_id: message,
          from_phone: true,
          timestamp: new Date(),
        })
        .execute(),
    )
    return message
  },
} satisfies Record<string, Maker>
type Kind = keyof typeof makers

/** What is nobody's, and whoever may see one may see them all: rows of the installation, names of settings. Companies
 * are the superadmin's; that others reach only their own is tested with them. */
const OF_PLATFORM: readonly (Kind | undefined)[] = ['plan', 'setting', 'company']

/** Which row a parameter names: `family.parameter`, and `family.parameter:uuid` where a family has ids of both kinds. */
const kinds: Readonly<Record<string, Kind>> = {
  'users.id': 'user',
  'access.id': 'user',
  'access.ticketId': 'ticket',
  'secondFactor.id': 'user',
  'passkeys.id': 'passkey',
  'plans.id': 'plan',
  'userTenants.id': 'user',
  'teams.id': 'team',
  'teams.userId': 'colleague',
  'teams.groupId': 'team',
  'queues.id': 'queue',
  'tags.id': 'tag',
  'fastReplies.id': 'fastReply',
  'devices.id:uuid': 'session',
  'contacts.id': 'contact',
  'contacts.number': 'number',
  'tickets.id': 'ticket',
  'tickets.a': 'contact',
  'tickets.b': 'connection',
  'messages.ticketId': 'ticket',
  'messages.id': 'ticket',
  'messages.id:uuid': 'message',
  'lab.id': 'phone',
  'lab.messageId:uuid': 'labMessage',
  'webchatChannels.id': 'webchat',
  'settings.key': 'setting',
  'tenantFlags.id': 'tenant',
  'ratings.id': 'tenant',
  'evaluations.id': 'evaluation',
  'evaluations.ticketId': 'ticket',
  'companies.id': 'company',
}

const parametersOf = (op: Operation): string[] => [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)

function kindOf(op: Operation, name: string): Kind | undefined {
  const format = op.params && inputSchema(op.params).properties?.[name]?.format
  return kinds[`${op.family}.${name}${format ? `:${format}` : ''}`]
}

const paramsFor = async (op: Operation, company: Company): Promise<Record<string, Id>> => {
  const named: Record<string, Id> = {}
  for (const name of parametersOf(op)) named[name] = await makers[kindOf(op, name)!](company, named)
  return named
}

/** What a schema alone cannot tell: fields of which one is needed, and search terms. */
const bodies: Readonly<Record<string, object>> = {
  'identityProvider.save': { issuer: 'https://accounts.google.com' },
  'lab.send': { body: 'Olá' },
  'ownProfile.changeEmail': { email: 'pessoa@teste.dev' },
  'ownProfile.save': { phone: '' },
  'users.create': { email: 'pessoa@teste.dev' },
  'userTenants.create': { email: 'pessoa@teste.dev' },
  'companyMail.save': { emailFrom: 'loja@teste.dev' },
  'installationMail.save': { emailFrom: 'loja@teste.dev' },
  'signup.create': { cpfCnpj: '529.982.247-25', email: 'nova@teste.dev', mobilePhone: '11987654321' },
  'recovery.request': { email: 'pessoa@teste.dev' },
  'companyMail.test': { to: 'pessoa@teste.dev' },
  'installationMail.test': { to: 'pessoa@teste.dev' },
}
const queries: Readonly<Record<string, object>> = { 'messages.search': { searchParam: 'teste' } }

/** A body that the operation takes, and a query. */
const isList = (op: Operation) => op.body !== undefined && inputSchema(op.body).type === 'array'
const bodyFor = (op: Operation) =>
  op.body && (isList(op) ? [] : { ...(sample(inputSchema(op.body)) as object), ...bodies[op.name] })
const queryFor = (op: Operation) => op.query && { ...(sample(inputSchema(op.query)) as object), ...queries[op.name] }

/** Who may ask: the first role that has the permission; the company's own admin where anyone logged in may. */
function rolesOf(op: Operation): { may: Profile; mayNot: Profile | undefined } {
  if (op.can === 'public' || op.can === 'session') return { may: 'admin', mayNot: undefined }
  const allowed: readonly Profile[] = PERMISSIONS[op.can as Permission].profiles
  return {
    may: allowed.includes('admin') ? 'admin' : allowed[0]!,
    mayNot: PROFILES.find((profile) => !allowed.includes(profile)),
  }
}

const ask = (op: Operation, token: string | null, input: object): Promise<Reply<never>> =>
  call(product(), op, token, input as never)
const askAs = (op: Operation, input: object) => ask(op, ours.tokens[rolesOf(op).may], input)

beforeAll(async () => {
  const company = async (): Promise<Company> => {
    const tenantId = await m().tenant()
    const tokens = {} as Company['tokens']
    let userId = 0
    for (const profile of PROFILES) {
      const user = await m().user(tenantId, { profile })
      tokens[profile] = await m().token(user)
      if (profile === 'admin') userId = user.id
    }
    return { tenantId, tokens, userId }
  }
  ours = await company()
  theirs = await company()
})

test('there are operations, and every parameter of theirs has a maker', () => {
  expect(operations.length).toBeGreaterThan(50)
  const names = operations.map((op) => op.name)
  expect(names).toHaveLength(new Set(names).size)
  const bare = operations.flatMap((op) =>
    parametersOf(op).flatMap((name) => (kindOf(op, name) ? [] : [`${op.name}: ${name}`])),
  )
  expect(bare).toEqual([])
})

const guarded = operations.filter((op) => op.can !== 'public')
const table = (ops: readonly Operation[]) => ops.map((op) => [op.name, op] as const)

describe('nobody', () => {
  test.each(table(guarded))('%s answers 401 without a session', async (_, op) => {
    const reply = await ask(op, null, { params: await paramsFor(op, ours) })
    expect([reply.status, reply.body]).toMatchObject([401, { error: 'ERR_SESSION_EXPIRED' }])
  })

  const own = operations.filter((op) => op.can === 'public' && op.errors?.includes('ERR_SESSION_EXPIRED'))
  test.each(table(own))('%s answers 401 without a token of its own', async (_, op) => {
    const reply = await ask(op, null, { body: bodyFor(op), query: queryFor(op) })
    expect(reply.status).toBe(401)
  })
})

describe('the wrong role', () => {
  const limited = guarded.filter((op) => rolesOf(op).mayNot)
  test.each(table(limited))('%s answers 403 to a role without the permission', async (_, op) => {
    const input = { params: await paramsFor(op, ours), body: bodyFor(op) }
    for (const profile of PROFILES) {
      if ((PERMISSIONS[op.can as Permission].profiles as readonly Profile[]).includes(profile)) continue
      const reply = await ask(op, ours.tokens[profile], input)
      expect([profile, reply.status, reply.body]).toMatchObject([profile, 403, { error: 'ERR_NO_PERMISSION' }])
    }
  })
})

describe('another company', () => {
  const named = guarded.flatMap((op) => parametersOf(op).map((name) => [`${op.name} (${name})`, op, name] as const))
  test.each(named)(
    '%s answers 404 for a row of another company, like for one that is not there',
    async (_, op, name) => {
      const params = await paramsFor(op, ours)
      const foreign = await paramsFor(op, theirs)
      const nowhere = typeof foreign[name] === 'number' ? 999_999_999 : String(foreign[name]).replace(/.{6}$/, '000000')
      const other = OF_PLATFORM.includes(kindOf(op, name)) ? nowhere : foreign[name]
      const reply = await askAs(op, { params: { ...params, [name]: other }, body: bodyFor(op) })
      const missing = await askAs(op, { params: { ...params, [name]: nowhere }, body: bodyFor(op) })
      expect([reply.status, missing.status]).toEqual([404, 404])
      const { error } = reply.body as { error: string }
      expect(op.errors).toContain(error)
      expect(missing.body).toMatchObject({ error })
    },
  )
})

/** Bodies that take unknown fields on purpose: callers of the wire that came before ours send more. */
const OPEN_BODIES = ['auth.logout', 'messages.typing', 'messages.recording', 'messages.paused']

describe('a bad body', () => {
  const withBody = operations.filter((op) => op.body)

  test.each(table(withBody.filter((op) => !OPEN_BODIES.includes(op.name) && !isList(op))))(
    '%s answers 400 to a field that it does not know',
    async (_, op) => {
      const body = { ...bodyFor(op), surpresa: 1 }
      const reply = await askAs(op, { params: await paramsFor(op, ours), body })
      expect([reply.status, reply.body]).toMatchObject([
        400,
        { error: 'ERR_VALIDATION', details: { surpresa: 'Campo desconhecido.' } },
      ])
    },
  )

  const fields = withBody.flatMap((op) =>
    Object.keys(inputSchema(op.body!).properties ?? {}).map((field) => [`${op.name} (${field})`, op, field] as const),
  )
  test('there are fields to spoil', () => expect(fields.length).toBeGreaterThan(50))

  test.each(fields)('%s answers 400, at that field, to a value of the wrong type', async (_, op, field) => {
    const good = bodyFor(op)
    const spoiled = [{ um: 'objeto' }, ['lista'], 'texto', -1.5, true, null]
      .map((value) => ({ ...good, [field]: value }))
      .find((body) => op.body!.safeParse(body).error?.issues.every((issue) => issue.path[0] === field))
    expect(spoiled, 'no value is wrong for this field').toBeDefined()
    const reply = await askAs(op, { params: await paramsFor(op, ours), body: spoiled })
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'ERR_VALIDATION', details: expect.any(Object) }])
    const [key, sentence] = Object.entries((reply.body as { details: Record<string, string> }).details)[0]!
    expect([key.split('.')[0], typeof sentence]).toEqual([field, 'string'])
  })
})

describe('an answer', () => {
  const reads = guarded.filter((op) => op.method === 'GET')
  test.each(table(reads))('%s is 200 for whoever may ask, and as its schema says', async (_, op) => {
    const reply = await askAs(op, { params: await paramsFor(op, ours), query: queryFor(op) })
    expect(reply.status).toBe(200)
    expect(() => op.returns.parse(reply.body)).not.toThrow()
  })
})

describe('twenty of the same at once', () => {
  const reads = guarded.filter((op) => op.method === 'GET')
  const nowhere = (params: Record<string, Id>) =>
    Object.fromEntries(
      Object.entries(params).map(([name, id]) => [
        name,
        typeof id === 'number' ? 999_999_999 : id.replace(/.{6}$/, '000000'),
      ]),
    )

  test.each(table(reads))('%s is answered on two clients, though nothing is cached', async (_, op) => {
    const params = await paramsFor(op, ours)
    for (const given of parametersOf(op).length > 0 ? [params, nowhere(params)] : [params]) {
      const { actors, settings, installation, revokedSessions } = product().platform
      for (const cache of [actors, settings, installation, revokedSessions]) cache.dropAll()
      const asked = Array.from({ length: 20 }, () => askAs(op, { params: given, query: queryFor(op) }))
      const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
      expect([...statuses]).toEqual([given === params ? 200 : expect.toSatisfy((status) => status < 500)])
    }
  })
})

describe('a restricted user', () => {
  let token: string
  beforeAll(async () => {
    const admin = await m().user(ours.tenantId, { profile: 'admin' })
    token = await m().token(admin)
    await product().platform.db.asPlatform((db) =>
      db.updateTable('users').set({ restricted_user: true }).where('id', '=', admin.id).execute(),
    )
    product().platform.actors.drop(`${ours.tenantId}:${admin.id}`)
  })

  /** Gives every contact of the company something to hide in every field, and answers all of it. */
  async function secrets(): Promise<string[]> {
    const { rows } = await product().platform.db.asPlatform((db) =>
      sql<{
        hidden: string[]
      }>`update contacts set name = 'Nome secreto ' || id, email = 'segredo' || id || '@cliente.dev',
          number = coalesce(number, '55110' || id), cpf = '9' || lpad(id::text, 10, '0'), business_name = 'Firma oculta ' || id,
          last_name = 'Sobrenome oculto ' || id, extra_info = jsonb_build_array(jsonb_build_object('id', 1, 'name', 'Cor', 'value', 'Oculta ' || id))
        where tenant_id = ${ours.tenantId}
        returning array[name, email, number, cpf, business_name, last_name, 'Oculta ' || id] as hidden`.execute(db),
    )
    return rows.flatMap((row) => row.hidden)
  }

  // The lab and the shop's own page are not about the company's customers.
  const reads = guarded.filter(
    (op) => op.method === 'GET' && !['lab', 'webchat', 'webchatChannels'].includes(op.family),
  )
  test.each(table(reads))('%s answers nothing of a contact that is hidden', async (_, op) => {
    const params = await paramsFor(op, ours)
    await makers.ticket(ours)
    const hidden = await secrets()
    const reply = await ask(op, token, { params, query: queryFor(op) })
    const text = JSON.stringify(reply.body)
    expect(hidden.filter((value) => text.includes(value))).toEqual([])
    if (op.family !== 'tickets') return
    // What is masked was there: whoever is not restricted reads it, in the very same operation.
    const { body } = await askAs(op, { params, query: queryFor(op) })
    if (JSON.stringify(body).includes('"contact":'))
      expect(hidden.some((value) => JSON.stringify(body).includes(value))).toBe(true)
  })
})
