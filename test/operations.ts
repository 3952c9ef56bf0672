import { randomBytes } from 'node:crypto'
import type { Operation } from '#kit/contract.ts'
import { uuidv7 } from '#server/ids.ts'
import { sha256 } from '#server/secrets.ts'
import { make } from '#test/make.ts'
import { plainTables } from '#test/plain-tables.ts'
import { inputSchema, sample } from '#test/sample.ts'
import type { Product } from '#test/server.ts'

/** What an address names a row by. */
export type Id = number | string
/** Whose rows are made, and the person who has them. */
export type Owner = { tenantId: number; userId: number }
/** Makes a row; `beside` are the parameters that stand before it in the address. */
type Maker = (owner: Owner, beside: Readonly<Record<string, Id>>, op: Operation) => Promise<Id>

type Kind =
  | 'ticket'
  | 'message'
  | 'contact'
  | 'number'
  | 'connection'
  | 'webchat'
  | 'queue'
  | 'team'
  | 'colleague'
  | 'row'
  | 'user'
  | 'session'
  | 'plan'
  | 'passkey'
  | 'evaluation'
  | 'tenant'
  | 'company'
  | 'setting'
  | 'phone'
  | 'labMessage'
  | 'bulk'
  | 'providerApp'

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
  'devices.id:uuid': 'session',
  'contacts.id': 'contact',
  'contacts.number': 'number',
  'bulk.id:uuid': 'bulk',
  'tickets.id': 'ticket',
  'tickets.a': 'contact',
  'tickets.b': 'connection',
  'messages.ticketId': 'ticket',
  'messages.id': 'ticket',
  'messages.id:uuid': 'message',
  'lab.id': 'phone',
  'lab.messageId:uuid': 'labMessage',
  'connections.id': 'connection',
  'providerApps.id': 'providerApp',
  'webchatChannels.id': 'webchat',
  'settings.key': 'setting',
  'tenantFlags.id': 'tenant',
  'ratings.id': 'tenant',
  'evaluations.id': 'evaluation',
  'evaluations.ticketId': 'ticket',
  'companies.id': 'company',
}

/** What a schema alone cannot tell: fields of which one is needed, and search terms. */
const bodies: Readonly<Record<string, object>> = {
  'connections.create': {
    type: 'sample',
    values: { address: 'https://pombal.test', loft: 'um', token: 'um token de teste' },
  },
  'connections.update': { values: {} },
  'providerApps.create': { channel: 'sample', values: { token: 'um token de teste' } },
  'providerApps.update': { values: { token: 'um token de teste' } },
  'identityProvider.save': { issuer: 'https://accounts.google.com' },
  'lab.send': { body: 'Olá' },
  'ticketsBulk.start': { ids: [1], action: 'read', args: {} },
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

/** The names that stand in an operation's address. */
export const parametersOf = (op: Operation): string[] =>
  [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)

/** Which kind of row a parameter names; undefined where nothing here knows. */
export function kindOf(op: Operation, name: string): Kind | undefined {
  if (plainTables.has(op.family)) return 'row'
  const format = op.params && inputSchema(op.params).properties?.[name]?.format
  return kinds[`${op.family}.${name}${format ? `:${format}` : ''}`]
}

/** Whether a body is a list. */
export const isList = (op: Operation) => op.body !== undefined && inputSchema(op.body).type === 'array'
/** A body that the operation takes. */
export const bodyFor = (op: Operation) =>
  op.body && (isList(op) ? [] : { ...(sample(inputSchema(op.body)) as object), ...bodies[op.name] })
/** A query that the operation takes. */
export const queryFor = (op: Operation) =>
  op.query && { ...(sample(inputSchema(op.query)) as object), ...queries[op.name] }

/** Makes the rows that requests to any operation name, on a file's product. */
export function rowMakers(product: () => Product) {
  const m = () => make(product().platform)
  const ticketOf = async ({ tenantId, userId }: Owner) => m().ticket(tenantId, { user_id: userId, status: 'open' })
  const connectionOf = ({ tenantId }: Owner, type: string) => m().connection(tenantId, { type })
  const phoneOf = async (owner: Owner) =>
    m().insert('lab_phones', owner.tenantId, {
      connection_id: await connectionOf(owner, 'lab'),
      name: 'Telefone',
      number: `55119${String(Date.now()).slice(-8)}`,
    })

  /** How one row of each kind is made. */
  const makers = {
    ticket: ticketOf,
    message: async (owner) =>
      m().message(owner.tenantId, await ticketOf(owner), {
        from_me: true,
        status: 'failed',
        user_id: owner.userId,
      }),
    contact: ({ tenantId }) => m().contact(tenantId),
    number: async ({ tenantId }) => {
      const number = `5521${980_000_000 + Math.floor(Math.random() * 9_999_999)}`
      await m().contact(tenantId, { number })
      return number
    },
    connection: (owner) => connectionOf(owner, 'lab'),
    webchat: (owner) => connectionOf(owner, 'webchat'),
    queue: ({ tenantId }) => m().queue(tenantId),
    team: ({ tenantId }) => m().insert('teams', tenantId, { name: `Equipe ${Math.random()}` }),
    colleague: async ({ tenantId }) => (await m().user(tenantId)).id,
    row: ({ tenantId }, _, { family }) => m().row(tenantId, plainTables.get(family)!),
    user: async ({ userId }) => userId,
    session: async ({ tenantId, userId }) => {
      const id = uuidv7()
      const row = { tenant_id: tenantId, id, user_id: userId, refresh_hash: Buffer.from(id) }
      await product().platform.db.asPlatform((db) =>
        db
          .insertInto('sessions')
          .values({ ...row, expires_at: new Date(product().platform.now().getTime() + 86_400_000) })
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
    providerApp: async () => {
      const { platform } = product()
      const [path, at] = [randomBytes(16).toString('base64url'), platform.now()]
      return platform.db.asPlatform(async (db) => {
        const row = { channel: 'sample', name: path, path_hash: sha256(path), created_at: at, updated_at: at }
        const { id } = await db.insertInto('provider_apps').values(row).returning('id').executeTakeFirstOrThrow()
        const encrypted = platform.secrets.encrypt(path, `provider_apps/${id}`)
        await db.updateTable('provider_apps').set({ path: encrypted }).where('id', '=', id).execute()
        return id
      })
    },
    passkey: ({ tenantId, userId }) =>
      m().insert('passkeys', tenantId, {
        user_id: userId,
        name: 'Celular',
        rp_id: 'localhost',
        credential_id: crypto.randomUUID(),
        public_key: Buffer.from('chave'),
      }),
    evaluation: async (owner) => {
      const id = await ticketOf(owner)
      const { contact_id, connection_id, conversation_key } = await product().platform.db.asPlatform((db) =>
        db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      )
      const at = product().platform.now()
      return m().insert('ticket_evaluations', owner.tenantId, {
        ticket_id: id,
        contact_id,
        connection_id,
        conversation_key,
        closed_at: at,
        asked_at: at,
        expires_at: at,
      })
    },
    bulk: async ({ tenantId, userId }) => {
      const id = uuidv7()
      const row = { tenant_id: tenantId, id, kind: 'tickets', action: 'read', user_id: userId, total: 0 }
      await product().platform.db.write(tenantId, (db) =>
        db
          .insertInto('bulk_operations')
          .values({ ...row, status: 'paused', created_at: product().platform.now() })
          .execute(),
      )
      return id
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
            timestamp: product().platform.now(),
          })
          .execute(),
      )
      return message
    },
  } satisfies Record<Kind, Maker>

  return {
    ticketOf,
    /** Values for the names in an operation's address: a new row of the owner's for each. */
    async paramsFor(op: Operation, owner: Owner): Promise<Record<string, Id>> {
      const named: Record<string, Id> = {}
      for (const name of parametersOf(op)) named[name] = await makers[kindOf(op, name)!](owner, named, op)
      return named
    },
  }
}
