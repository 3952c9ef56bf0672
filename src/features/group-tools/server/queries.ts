import { sql } from 'kysely'
import type { GroupRole } from '#domain/groups/tools.ts'
import { firstOf } from '#domain/present.ts'
import type { ChannelGroup } from '#providers/channels/port.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Connection with the data that groups need. */
export type KnownConnection = {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly status: string
  readonly number: string
  readonly isWatching: boolean
}

/** Returns a connection that is in use. */
export async function findConnection(db: Queryable, id: number): Promise<KnownConnection | undefined> {
  return (await findConnections(db, [id]))[0]
}

/** Returns those of the connections that are in use. */
export async function findConnections(db: Queryable, ids: readonly number[]): Promise<KnownConnection[]> {
  const { rows } = await sql<KnownConnection>`
    select id, name, type, status, coalesce(number, '') as number, watches_words as "isWatching" from connections
    where tenant_id = app.tenant() and id = any(${[...ids]}::bigint[]) and not is_deleted`.execute(db)
  return rows
}

/** Group as last read from its channel. */
export type StoredGroup = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly role: GroupRole | null
  readonly size: number
  readonly adminsOnly: boolean
  readonly seenAt: Date
}

const columns = sql`key as id, name, description, role, size, only_admins_write as "adminsOnly", seen_at as "seenAt"`

/** Filter of a connection's groups. */
export type GroupsAsked = {
  readonly connectionId: number
  /** Part of the name, or the whole address. */
  readonly search: string | null
  readonly roles: readonly GroupRole[] | null
}

/** Returns the LIKE pattern that finds a text anywhere. */
export const likeOf = (search: string | null): string | null =>
  search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`

const asked = ({
  connectionId,
  search,
  roles,
}: GroupsAsked) => sql`tenant_id = app.tenant() and connection_id = ${connectionId}
  and (${search}::text is null or app.fold(name) like app.fold(${likeOf(search)}::text) or key = ${search}::text)
  and (${roles === null} or role = any(${[...(roles ?? [])]}::text[]))`

/** Returns a page of a connection's groups, by name. */
export async function listGroups(
  db: Queryable,
  which: GroupsAsked,
  { after, offset, limit }: PageStart<readonly [string, string]>,
): Promise<StoredGroup[]> {
  const { rows } = await sql<StoredGroup>`select ${columns} from channel_groups where ${asked(which)}
    and (${after === null} or (lower(name), key) > (${after?.[0] ?? ''}, ${after?.[1] ?? ''}))
    order by lower(name), key limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the groups matching the filter, up to `most`. */
export async function countGroups(db: Queryable, which: GroupsAsked, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from channel_groups where ${asked(which)} limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/** Returns the groups of a connection with these addresses; without addresses all of them. */
export async function findGroups(
  db: Queryable,
  connectionId: number,
  keys: readonly string[] | null,
): Promise<StoredGroup[]> {
  const { rows } = await sql<StoredGroup>`select ${columns} from channel_groups
    where tenant_id = app.tenant() and connection_id = ${connectionId}
      and (${keys === null} or key = any(${[...(keys ?? [])]}::text[])) order by lower(name), key`.execute(db)
  return rows
}

/** Returns the time of the last reading of a connection's groups; null: never. */
export async function seenAt(db: Queryable, connectionId: number): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select max(seen_at) as at from channel_groups
    where tenant_id = app.tenant() and connection_id = ${connectionId}`.execute(db)
  return rows[0]?.at ?? null
}

/** Stores groups as they are now. */
export async function saveGroups(
  db: Tx,
  connectionId: number,
  groups: readonly ChannelGroup[],
  now: Date,
): Promise<void> {
  if (groups.length === 0) return
  await sql`
    insert into channel_groups (tenant_id, connection_id, key, name, description, role, size, only_admins_write, seen_at)
    select app.tenant(), ${connectionId}, g.key, g.name, g.description, g.role, g.size, g."onlyAdminsWrite", ${now}
    from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
      as g (key text, name text, description text, role text, size int, "onlyAdminsWrite" boolean)
    on conflict (tenant_id, connection_id, key) do update set name = excluded.name, description = excluded.description,
      role = excluded.role, size = excluded.size, only_admins_write = excluded.only_admins_write, seen_at = excluded.seen_at`.execute(
    db,
  )
}

/** Deletes groups that a connection is no longer in: one, or (null) all last seen before a moment. */
export async function forgetGroups(db: Tx, connectionId: number, key: string | null, before: Date): Promise<void> {
  await sql`delete from channel_groups where tenant_id = app.tenant() and connection_id = ${connectionId}
    and (key = ${key}::text or (${key}::text is null and seen_at < ${before}))`.execute(db)
}
