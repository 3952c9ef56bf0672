import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { StoredSecrets } from '#kit/provider.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { withCounted } from './queries-unread.ts'

/** Advisory lock that serializes the creation of connections within a company. */
const MAKING = 7216

const connections = (db: Queryable) =>
  db
    .selectFrom('connections')
    .select(['id', 'name', 'type', 'status', 'number', 'is_default', 'queue_id', 'updated_at'])
    .select([
      'config',
      'secrets',
      'account',
      'webhook',
      'qrcode',
      'retries',
      'destroy_message',
      'disable_external_integration',
      'ignores_hours',
      'watches_words',
      'chat_flow_id',
      'close_keywords',
      'farewell_message',
      'proxy_id',
    ])
    .select(['first_connected_at', 'pairing_code', 'code_expires_at', 'pairing', 'cause', 'opening'])
    .select(['refused_calls', 'unread'])
    .select((one) =>
      one
        .selectFrom('connection_paces as p')
        .select('p.slow_until')
        .whereRef('p.tenant_id', '=', 'connections.tenant_id')
        .whereRef('p.connection_id', '=', 'connections.id')
        .as('slow_until'),
    )
    .where('is_deleted', '=', false)

/** Stored connection with its settings. */
export type StoredConnection = Awaited<ReturnType<typeof listConnections>>[number]

/** Returns all connections that are not removed, by name. */
export const listConnections = (db: Queryable) => connections(db).orderBy('name').orderBy('id').execute()

/** Returns one connection that is not removed. */
export const findConnection = (db: Queryable, id: number): Promise<StoredConnection | undefined> =>
  connections(db).where('id', '=', id).executeTakeFirst()

/** Locks and returns one connection. */
export const lockConnection = (db: Tx, id: number): Promise<StoredConnection | undefined> =>
  connections(db).where('id', '=', id).forUpdate().executeTakeFirst()

/** Counts refused calls and unread contents at the address of a connection. */
export async function countAtConnection(
  db: Tx,
  id: number,
  { refused = 0, unread = [] }: { refused?: number; unread?: readonly string[] },
): Promise<void> {
  await sql`update connections set refused_calls = refused_calls + ${refused}, unread = ${withCounted(unread)}
    where tenant_id = app.tenant() and id = ${id}`.execute(db)
}

/** Returns the company's connection of one of these types to an account of the provider. */
export const findByAccount = (db: Queryable, types: readonly string[], account: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'status'])
    .where('type', 'in', types)
    .where('account', '=', account)
    .where('is_deleted', '=', false)
    .executeTakeFirst()

/** Returns the connections of some types with their accounts. */
export const findAccounts = (db: Queryable, types: readonly string[]) =>
  db
    .selectFrom('connections')
    .select(['id', 'type', 'account'])
    .where('type', 'in', types)
    .where('account', 'is not', null)
    .where('is_deleted', '=', false)
    .execute()

/** Returns the number of connections and the plan's limit, locked until the transaction ends. */
export async function countConnections(db: Tx): Promise<{ used: number; most: number }> {
  await sql`select pg_advisory_xact_lock(${MAKING}, app.tenant()::int)`.execute(db)
  const { rows } = await sql<{ used: number; most: number }>`
    select (select count(*) from connections where not is_deleted)::int as used, max_connections as most
    from tenants`.execute(db)
  return firstOf(rows)
}

/** Returns the maximum number of connections of the company's plan. */
export const maxConnections = async (db: Queryable): Promise<number> =>
  (await db.selectFrom('tenants').select('max_connections').executeTakeFirstOrThrow()).max_connections

/** Whether a queue exists. */
export const hasQueue = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.selectFrom('queues').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Whether a chat flow exists. */
export const hasChatFlow = async (db: Queryable, id: number): Promise<boolean> =>
  (await db
    .selectFrom('chat_flows')
    .select('id')
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .where('auto_reply_id', 'is', null)
    .executeTakeFirst()) !== undefined

/** Stores a connection; returns its id. */
export async function insertConnection(
  db: Tx,
  row: { type: string; name: string; queueId: number | null; status: string; config: object; now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('connections')
    .values({
      tenant_id: sql`app.tenant()`,
      name: row.name,
      type: row.type,
      status: row.status,
      queue_id: row.queueId,
      config: JSON.stringify(row.config),
      created_at: row.now,
      first_connected_at: row.status === 'CONNECTED' ? row.now : null,
      updated_at: row.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Columns of a connection that may change. */
export type ConnectionChange = {
  name?: string | undefined
  queueId?: number | null | undefined
  status?: string
  config?: object
  secrets?: StoredSecrets
  account?: string | null
  webhook?: string
  qrcode?: string | null
  pairing_code?: string | null
  code_expires_at?: Date | null
  pairing?: string | null
  cause?: string | null
  opening?: number
  forgets_keys?: boolean
  retries?: number
  number?: string
  destroyMessage?: 'enabled' | 'disabled' | undefined
  chatFlowId?: number | null | undefined
  disableExternalIntegration?: 'enabled' | 'disabled' | undefined
  ignoreBussinesHours?: 'enabled' | 'disabled' | undefined
  wordlist?: 'enabled' | 'disabled' | undefined
  closeKeyWord?: string | undefined
  farewellMessage?: string | undefined
  proxyId?: number | null | undefined
}

/** Updates a connection. */
export async function updateConnection(db: Tx, id: number, change: ConnectionChange, now: Date): Promise<void> {
  const { queueId, config, secrets, destroyMessage, disableExternalIntegration, chatFlowId, ...others } = change
  const { closeKeyWord, farewellMessage, ignoreBussinesHours, wordlist, proxyId, ...rest } = others
  await db
    .updateTable('connections')
    .set({
      ...rest,
      ...(queueId === undefined ? {} : { queue_id: queueId }),
      ...(proxyId === undefined ? {} : { proxy_id: proxyId }),
      ...(chatFlowId === undefined ? {} : { chat_flow_id: chatFlowId }),
      ...(closeKeyWord === undefined ? {} : { close_keywords: closeKeyWord }),
      ...(farewellMessage === undefined ? {} : { farewell_message: farewellMessage }),
      ...(destroyMessage && { destroy_message: destroyMessage === 'enabled' }),
      ...(disableExternalIntegration && { disable_external_integration: disableExternalIntegration === 'enabled' }),
      ...(ignoreBussinesHours && { ignores_hours: ignoreBussinesHours === 'enabled' }),
      ...(wordlist && { watches_words: wordlist === 'enabled' }),
      ...(config && { config: JSON.stringify(config) }),
      ...(secrets && { secrets: JSON.stringify(secrets) }),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks a connection as removed and deletes what only it needed; its row stays for the history. Its holder unlinks the
 * device.
 */
export async function markRemoved(db: Tx, id: number, now: Date): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      is_deleted: true,
      is_default: false,
      status: 'DISCONNECTED',
      secrets: '{}',
      webhook: null,
      account: null,
      qrcode: null,
      proxy_id: null,
      forgets_keys: true,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** Returns the ids of the keys that encrypt values of connections, webchats' proofs and apps; platform role. */
export async function keysOfConnections(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(encrypted, '.', 1) as key from (
      select webhook as encrypted from connections
      union all select config #>> '{proof,sealed}' from connections
      union all select (select value from connection_state s where s.tenant_id = c.tenant_id and s.connection_id = c.id limit 1) from connections c
      union all select s.value ->> 'encrypted' from connections, jsonb_each(secrets) s
      union all select path from provider_apps
      union all select s.value ->> 'encrypted' from provider_apps, jsonb_each(secrets) s) found
    where encrypted is not null`.execute(db)
  return rows.map((row) => row.key)
}

/** Makes one connection the default; of concurrent calls the last one wins. */
export async function chooseDefault(db: Tx, id: number, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MAKING}, app.tenant()::int)`.execute(db)
  await db
    .updateTable('connections')
    .set({ is_default: sql`id = ${id}`, updated_at: now })
    .where((e) => e.or([e('is_default', '=', true), e('id', '=', id)]))
    .where('is_deleted', '=', false)
    .execute()
}
