import type { Insertable } from 'kysely'
import type { DB } from '#db/types.ts'
import { createTenant } from '#features/tenants/server/index.ts'
import { createUser } from '#features/users/server/index.ts'
import { kindOf } from '#kit/fields/kinds.ts'
import type { Resource, ResourceField } from '#kit/resource.ts'
import type { SettingKey } from '#kit/settings.ts'
import type { Tx } from '#server/db/db.ts'
import { signAccessToken } from '#server/http/access-token.ts'
import { uuidv7 } from '#server/ids.ts'
import { hashPassword } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { tableOf } from '#server/table.ts'

type Table = Pick<Resource, 'spec'>

/** The password of every user that `make.user` made. */
export const PASSWORD = 'Senha!2026'
let passwordHash: Promise<string> | undefined
// Numbers of one length: their order is that of the names, however many files share a worker.
let counter = 100_000
const next = () => ++counter

/** Logged-in person of a company. */
export type Person = { id: number; tenantId: number; email: string; name: string; token: string }

type Row<T extends keyof DB> = Partial<Omit<Insertable<DB[T]>, 'tenant_id'>>

/**
 * Returns a factory that inserts rows with their parents, for tests and seeds: `make(platform).ticket({ status: 'open' })`.
 * Each row is committed separately, or within the platform transaction `within`.
 */
export function make(platform: Platform, within?: Tx) {
  const asPlatform = <T>(work: (db: Tx) => Promise<T>): Promise<T> =>
    within ? work(within) : platform.db.asPlatform(work)

  const tenant = (name = `Empresa ${next()}`): Promise<number> => asPlatform((db) => createTenant(db, { name }))

  async function insert<T extends keyof DB>(table: T, tenantId: number, row: Row<T>): Promise<number> {
    const result = await asPlatform((db) =>
      db
        .insertInto(table)
        .values({ tenant_id: tenantId, ...row } as never)
        .returning('id' as never)
        .executeTakeFirstOrThrow(),
    )
    return (result as { id: number }).id
  }

  async function user(
    tenantId: number,
    {
      queues = [],
      isProven = false,
      ...input
    }: {
      name?: string
      email?: string
      username?: string
      profile?: 'user' | 'super' | 'admin' | 'superadmin'
      queues?: number[]
      /** Whether the link mailed to the e-mail address has been opened. */
      isProven?: boolean
    } = {},
  ): Promise<{ id: number; tenantId: number; email: string; name: string }> {
    passwordHash ??= hashPassword(PASSWORD)
    const email = input.email ?? `pessoa${next()}@teste.dev`
    const name = input.name ?? `Pessoa ${counter}`
    const hash = await passwordHash
    const id = await asPlatform(async (db) => {
      const id = await createUser(db, {
        tenantId,
        name,
        email,
        profile: input.profile ?? 'user',
        passwordHash: hash,
        ...(input.username ? { username: input.username } : {}),
      })
      if (isProven) await db.updateTable('users').set({ proven_email: email }).where('id', '=', id).execute()
      for (const queueId of queues)
        await db.insertInto('user_queues').values({ tenant_id: tenantId, user_id: id, queue_id: queueId }).execute()
      return id
    })
    return { id, tenantId, email, name }
  }

  /** An access token with a session behind it, without going through the login. */
  async function token({ id, tenantId }: { id: number; tenantId: number }): Promise<string> {
    const sessionId = uuidv7()
    const row = await asPlatform(async (db) => {
      await db
        .insertInto('sessions')
        .values({
          tenant_id: tenantId,
          id: sessionId,
          user_id: id,
          refresh_hash: Buffer.from(sessionId),
          expires_at: new Date(platform.now().getTime() + 86_400_000),
        })
        .execute()
      return db
        .selectFrom('users')
        .select(['name', 'profile', 'token_version'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    })
    return signAccessToken(platform, {
      userId: id,
      tenantId,
      sessionId,
      tokenVersion: row.token_version,
      username: row.name,
      profile: row.profile,
    })
  }

  /** A user with an access token. */
  async function person(tenantId: number, input: Parameters<typeof user>[1] = {}): Promise<Person> {
    const made = await user(tenantId, input)
    return { ...made, token: await token(made) }
  }

  /** Sets a company's setting, which every cache knows at once. */
  async function setting(tenantId: number, key: SettingKey, value = 'enabled'): Promise<void> {
    await asPlatform((db) =>
      db
        .insertInto('settings')
        .values({ tenant_id: tenantId, key, value })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doUpdateSet({ value }))
        .execute(),
    )
    platform.bus.stale(`settings ${tenantId}`)
  }

  const queue = (tenantId: number, row: Row<'queues'> = {}) =>
    insert('queues', tenantId, { queue: `Fila ${next()}`, ...row })
  const tag = (tenantId: number, row: Row<'tags'> = {}) =>
    insert('tags', tenantId, { tag: `Etiqueta ${next()}`, ...row })
  const connection = (tenantId: number, row: Row<'connections'> = {}) =>
    insert('connections', tenantId, { name: `Canal ${next()}`, type: 'lab', status: 'CONNECTED', ...row })
  const contact = (tenantId: number, row: Row<'contacts'> = {}) =>
    insert('contacts', tenantId, {
      name: `Contato ${next()}`,
      number: `5511900${String(counter).padStart(6, '0')}`,
      ...row,
    })

  /** Returns values for a row of a plain table, with the rows that it references; texts differ each time. */
  async function values(tenantId: number, { spec }: Table): Promise<Record<string, unknown>> {
    const made: Record<string, unknown> = {}
    for (const [key, field] of Object.entries(spec.fields)) made[key] = await sampleOf(tenantId, field)
    return made
  }

  async function sampleOf(tenantId: number, field: ResourceField): Promise<unknown> {
    if (field.kind === 'order') return null
    if (field.default !== undefined) return field.default
    if (field.kind === 'reference') return parents[field.to.table as keyof typeof parents](tenantId)
    const { good } = kindOf(field).samples(field)
    return field.kind === 'text' || field.kind === 'longtext' ? `Ação ${next()}` : good[next() % good.length]
  }

  /** A row of a plain table. */
  async function row(tenantId: number, table: Table, given: Record<string, unknown> = {}): Promise<number> {
    const all = { ...(await values(tenantId, table)), ...given }
    return platform.db.write(tenantId, async (db) => (await tableOf(table.spec).insert(db, all, platform.now())).id)
  }

  async function ticket(tenantId: number, row: Row<'tickets'> = {}): Promise<number> {
    const contactId = (row.contact_id as number | undefined) ?? (await contact(tenantId))
    const connectionId = (row.connection_id as number | undefined) ?? (await connection(tenantId))
    return insert('tickets', tenantId, {
      status: 'open',
      channel: 'lab',
      conversation_key: `conversa-${next()}`,
      ...row,
      contact_id: contactId,
      connection_id: connectionId,
    })
  }

  async function message(tenantId: number, ticketId: number, row: Row<'messages'> = {}): Promise<string> {
    const id = uuidv7()
    await asPlatform(async (db) => {
      const parent = await db
        .selectFrom('tickets')
        .select(['contact_id', 'connection_id', 'conversation_key'])
        .where('tenant_id', '=', tenantId)
        .where('id', '=', ticketId)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('messages')
        .values({
          tenant_id: tenantId,
          id,
          ticket_id: ticketId,
          ...parent,
          from_me: false,
          status: 'received',
          body: `Mensagem ${next()}`,
          timestamp: platform.now(),
          ...row,
        } as never)
        .execute()
    })
    return id
  }

  const users = async (tenantId: number) => (await user(tenantId)).id
  const parents = { queues: queue, tags: tag, contacts: contact, connections: connection, users }

  return { tenant, user, person, token, setting, values, row, queue, tag, connection, contact, ticket, message, insert }
}
