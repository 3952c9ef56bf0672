import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

const keys = (db: Queryable) =>
  db
    .selectFrom('api_keys as k')
    .innerJoin('connections as c', (join) =>
      join.onRef('c.tenant_id', '=', 'k.tenant_id').onRef('c.id', '=', 'k.connection_id'),
    )
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'k.tenant_id').onRef('u.id', '=', 'k.user_id'))
    .selectAll('k')
    .select(['c.name as session', 'c.type as channel', 'u.name as user'])

/** Row of an API key, with the names of its connection and owner. */
export type KeyRecord = NonNullable<Awaited<ReturnType<typeof findKey>>>

/** Finds one API key. */
export const findKey = (db: Queryable, id: string) => keys(db).where('k.id', '=', id).executeTakeFirst()

/** Finds an API key, locked until the transaction ends. */
export async function lockKey(db: Tx, id: string): Promise<KeyRecord | undefined> {
  const row = await db.selectFrom('api_keys').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return row && findKey(db, id)
}

/** Returns a page of API keys, newest first; `after` is the last (µs, id) of the previous page. */
export function pageOfKeys(
  db: Queryable,
  search: string | undefined,
  { after, offset, limit }: PageStart<[number, string]>,
) {
  const microseconds = sql<number>`(extract(epoch from k.created_at) * 1000000)::bigint`
  return keys(db)
    .select(microseconds.as('place'))
    .$if(search !== undefined, (q) =>
      q.where(sql<boolean>`position(app.fold(${search}::text) in app.fold(k.name)) > 0`),
    )
    .$if(after !== null, (q) =>
      q.where(sql<boolean>`(${microseconds}, k.id) < (${after![0]}::bigint, ${after![1]}::uuid)`),
    )
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Counts the API keys. */
export async function countKeys(db: Queryable): Promise<number> {
  const { n } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Stored values of an API key. */
export type KeyValues = {
  name: string
  scopes: string[]
  is_active: boolean
  per_minute: number
  networks: string[]
  takes_query: boolean
  url_service_status: string
  url_message_status: string
  auth_token: string | null
}

/** Stores a new key. */
export async function insertKey(
  db: Tx,
  row: KeyValues & { id: string; connection_id: number; user_id: number; hint: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ tenant_id: sql`app.tenant()`, ...row, created_at: now, updated_at: now })
    .execute()
}

/** Updates an API key. */
export async function updateKey(
  db: Tx,
  id: string,
  values: Partial<KeyValues> & { hint?: string; old_until?: Date },
  now: Date,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Removes a key; returns false if there is none. */
export async function deleteKey(db: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Records the use of an API key, at most once a minute. */
export async function noteUse(db: Tx, id: string, address: string, now: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now, last_address: address })
    .where('id', '=', id)
    .where((w) => w.or([w('last_used_at', 'is', null), w('last_used_at', '<', new Date(now.getTime() - 60_000))]))
    .execute()
}

/** Returns the storage keys of messages sent by API keys, by message id. */
export async function messageKeysOf(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'id_front'])
    .where('id', 'in', [...ids])
    .where('id_front', 'like', 'api:%')
    .execute()
  return new Map(rows.flatMap(({ id, id_front }) => (id_front === null ? [] : [[id, id_front]])))
}

/** Returns, by contact, the storage key of the last message that an API key sent, regardless of the ticket. */
export async function lastSentTo(
  db: Queryable,
  prefix: string,
  contactIds: readonly number[],
): Promise<Map<number, string>> {
  if (contactIds.length === 0) return new Map()
  const { rows } = await sql<{ contactId: number; idFront: string }>`
    select c.id as "contactId", m.id_front as "idFront" from unnest(${[...contactIds]}::bigint[]) c (id)
    cross join lateral (select id_front from messages where tenant_id = app.tenant() and contact_id = c.id
      and from_me and left(id_front, ${prefix.length}) = ${prefix} order by timestamp desc, seq desc limit 1) m`.execute(
    db,
  )
  return new Map(rows.map(({ contactId, idFront }) => [contactId, idFront]))
}

/** Returns the names of the keys that encrypt API keys' secrets; requires platform database access. */
export async function keysOfApiKeys(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(auth_token, '.', 1) as key from api_keys where auth_token is not null`.execute(db)
  return rows.map(({ key }) => key)
}
