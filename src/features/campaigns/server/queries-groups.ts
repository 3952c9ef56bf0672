import { sql } from 'kysely'
import { contactsFor, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Group that one of several connections is a member of. */
export type ReachedGroup = {
  /** Address of the group on its channel. */
  readonly id: string
  readonly name: string
  readonly sortName: string
  readonly connectionId: number
  readonly connectionName: string
  readonly channel: string
  /** Id of its contact; null if there is no conversation with it yet. */
  readonly contactId: number | null
}

/** Filter of groups: those of some connections that a person may see. */
export type GroupsAsked = {
  readonly connectionIds: readonly number[]
  readonly only: OnlyFor
  readonly search?: string | undefined
  readonly keys?: readonly string[]
  readonly contactIds?: readonly number[]
}

// The channel's own list counts; a channel without one is in the groups of its conversations.
const reached = (db: Queryable, { connectionIds, only, search, keys, contactIds }: GroupsAsked) => sql`
  from (
    select distinct on (h.key) h.key as id, h.name, lower(h.name) as "sortName", h.connection_id as "connectionId", k.name as "connectionName", k.type as channel,
      (select i.contact_id from contact_identities i where i.tenant_id = k.tenant_id and i.channel = k.type and i.identity = h.key) as "contactId"
    from (
      select g.key, g.connection_id, g.name from channel_groups g
        where g.tenant_id = app.tenant() and g.connection_id = any(${[...connectionIds]}::bigint[])
      union all
      select t.conversation_key, t.connection_id, c.name from tickets t
        join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
        where t.tenant_id = app.tenant() and t.connection_id = any(${[...connectionIds]}::bigint[]) and t.is_group
          and not exists (select from channel_groups g where g.tenant_id = t.tenant_id and g.connection_id = t.connection_id)) h
    join connections k on k.tenant_id = app.tenant() and k.id = h.connection_id
    order by h.key, h.connection_id) reached
  where (${only === null} or "contactId" in (${contactsFor(db, only).select('contacts.id')}))
    and (${search === undefined} or app.fold(name) like app.fold(${search === undefined ? '' : patternOf(search)}))
    and (${keys === undefined && contactIds === undefined} or id = any(${[...(keys ?? [])]}::text[])
      or "contactId" = any(${[...(contactIds ?? [])]}::bigint[]))`

/** Returns a page of groups, by name. */
export async function listGroups(
  db: Queryable,
  asked: GroupsAsked,
  { after, offset, limit }: PageStart<readonly [string, string]>,
): Promise<ReachedGroup[]> {
  const { rows } = await sql<ReachedGroup>`select * ${reached(db, asked)}
    and (${after === null} or ("sortName", id) > (${after?.[0] ?? ''}, ${after?.[1] ?? ''}))
    order by "sortName", id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the selected groups, up to `most`. */
export async function countGroups(db: Queryable, asked: GroupsAsked, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select ${reached(db, asked)} limit ${most}) counted`.execute(db)
  return rows[0]!.n
}

/** Returns all groups selected by their addresses or contacts. */
export async function findGroups(db: Queryable, asked: GroupsAsked): Promise<ReachedGroup[]> {
  const { rows } = await sql<ReachedGroup>`select * ${reached(db, asked)}`.execute(db)
  return rows
}

/** Returns those of some contacts that are groups. */
export async function groupsAmong(db: Queryable, contactIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from contacts
    where tenant_id = app.tenant() and id = any(${[...contactIds]}::bigint[]) and is_group`.execute(db)
  return rows.map(({ id }) => id)
}
