import { sql } from 'kysely'
import type { GroupRole, GroupRuleKind } from '#domain/groups/tools.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'
import { likeOf } from './queries.ts'

/** Row of a rule. */
export type StoredRule = {
  readonly id: number
  readonly kind: GroupRuleKind
  readonly connectionId: number
  readonly connectionName: string
  readonly isWatching: boolean
  readonly groupId: string
  readonly groupName: string
  /** Role of the connection's own number in the group; null if unknown. */
  readonly role: GroupRole | null
  readonly value: string
  readonly deletes: boolean
  readonly warning: string
  readonly removeAfter: number | null
  readonly userId: number | null
  readonly userName: string | null
  readonly hits: number
  readonly hitAt: Date | null
  readonly problem: string
  readonly createdAt: Date
}

const rules = sql`
  select r.id, r.kind, r.connection_id as "connectionId", c.name as "connectionName", c.watches_words as "isWatching",
    r.key as "groupId", coalesce(g.name, r.group_name) as "groupName", g.role, r.value, r.deletes, r.warning,
    r.remove_after as "removeAfter", r.user_id as "userId", u.name as "userName", r.hits, r.hit_at as "hitAt", r.problem,
    r.created_at as "createdAt"
  from group_rules r join connections c on c.tenant_id = r.tenant_id and c.id = r.connection_id
  left join channel_groups g on g.tenant_id = r.tenant_id and g.connection_id = r.connection_id and g.key = r.key
  left join users u on u.tenant_id = r.tenant_id and u.id = r.user_id`

/** Filter of rules. */
export type RulesAsked = {
  readonly kind: GroupRuleKind
  readonly connectionId: number | null
  readonly search: string | null
}

const asked = ({ kind, connectionId, search }: RulesAsked) => sql`r.tenant_id = app.tenant() and r.kind = ${kind}
  and (${connectionId}::bigint is null or r.connection_id = ${connectionId})
  and (${search}::text is null or app.fold(r.value) like app.fold(${likeOf(search)}::text)
    or app.fold(r.group_name) like app.fold(${likeOf(search)}::text))`

/** Returns a page of rules, newest first. */
export async function listRules(
  db: Queryable,
  which: RulesAsked,
  { after, offset, limit }: PageStart<readonly [number]>,
): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`${rules} where ${asked(which)}
    and (${after?.[0] ?? null}::bigint is null or r.id < ${after?.[0] ?? null})
    order by r.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts the rules matching the filter, up to `most`. */
export async function countRules(db: Queryable, which: RulesAsked, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from group_rules r where ${asked(which)} limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/** Finds one rule. */
export async function findRule(db: Queryable, id: number): Promise<StoredRule | undefined> {
  const { rows } = await sql<StoredRule>`${rules} where r.tenant_id = app.tenant() and r.id = ${id}`.execute(db)
  return rows[0]
}

/** Values of a rule. */
export type RuleValues = {
  readonly kind: GroupRuleKind
  readonly connectionId: number
  readonly key: string
  readonly groupName: string
  readonly value: string
  readonly deletes: boolean
  readonly warning: string
  readonly removeAfter: number | null
}

const columnsOf = ({ connectionId, groupName, removeAfter, ...rest }: RuleValues) => ({
  ...{ ...rest, connection_id: connectionId, group_name: groupName, remove_after: removeAfter },
})

/** Stores a rule; answers its id. */
export async function insertRule(db: Tx, values: RuleValues, userId: number, now: Date): Promise<number> {
  const row = { ...columnsOf(values), user_id: userId, created_at: now, updated_at: now }
  const made = await db
    .insertInto('group_rules')
    .values({ tenant_id: sql<number>`app.tenant()`, ...row })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Updates a rule. */
export async function updateRule(db: Tx, id: number, values: RuleValues, now: Date): Promise<void> {
  await db
    .updateTable('group_rules')
    .set({ ...columnsOf(values), problem: '', updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Removes a rule; returns false if there is none. */
export async function removeRule(db: Tx, id: number): Promise<boolean> {
  return (await db.deleteFrom('group_rules').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n
}

/** Removes all rules of a kind; returns their number. */
export async function clearRules(db: Tx, kind: GroupRuleKind): Promise<number> {
  return Number((await db.deleteFrom('group_rules').where('kind', '=', kind).executeTakeFirst()).numDeletedRows)
}

/** Fields of a rule that its execution needs. */
export type ActiveRule = Pick<
  StoredRule,
  'id' | 'kind' | 'connectionId' | 'value' | 'deletes' | 'warning' | 'removeAfter'
> & {
  readonly key: string
}

/** Returns the rules of several groups. */
export async function rulesOf(
  db: Queryable,
  groups: readonly { readonly connectionId: number; readonly key: string }[],
): Promise<ActiveRule[]> {
  const { rows } = await sql<ActiveRule>`
    select id, kind, connection_id as "connectionId", key, value, deletes, warning, remove_after as "removeAfter" from group_rules
    where tenant_id = app.tenant() and (connection_id, key) in (
      select a."connectionId", a.key from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as a ("connectionId" bigint, key text))
    order by id`.execute(db)
  return rows
}

/** Returns those of the given groups that are stored. */
export async function knownGroups(
  db: Queryable,
  groups: readonly { readonly connectionId: number; readonly key: string }[],
): Promise<{ connectionId: number; key: string }[]> {
  const { rows } = await sql<{ connectionId: number; key: string }>`
    select connection_id as "connectionId", key from channel_groups
    where tenant_id = app.tenant() and (connection_id, key) in (
      select a."connectionId", a.key from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as a ("connectionId" bigint, key text))`.execute(
    db,
  )
  return rows
}

/** Increments the hit counts of rules. */
export async function countHits(db: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`update group_rules r set hits = r.hits + n.n, hit_at = ${now} from (
      select id, count(*)::int as n from unnest(${[...ids]}::bigint[]) as a (id) group by id) n
    where r.tenant_id = app.tenant() and r.id = n.id`.execute(db)
}

/** Stores why a rule could not be carried out; empty if it was. */
export async function noteProblem(db: Tx, id: number, problem: string): Promise<void> {
  await db.updateTable('group_rules').set({ problem }).where('id', '=', id).where('problem', '<>', problem).execute()
}

type Member = { readonly connectionId: number; readonly key: string; readonly identity: string }

/** Increments a member's count of forbidden words; returns the new count. */
export async function strike(db: Tx, { connectionId, key, identity }: Member, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into group_strikes (tenant_id, connection_id, key, identity, count, struck_at)
    values (app.tenant(), ${connectionId}, ${key}, ${identity}, 1, ${now})
    on conflict (tenant_id, connection_id, key, identity) do update set count = group_strikes.count + 1, struck_at = excluded.struck_at
    returning count`.execute(db)
  return firstOf(rows).count
}

/** Deletes a removed member's count of forbidden words. */
export async function forgetStrikes(db: Tx, { connectionId, key, identity }: Member): Promise<void> {
  await sql`delete from group_strikes where tenant_id = app.tenant() and connection_id = ${connectionId} and key = ${key}
    and identity = ${identity}`.execute(db)
}

/** Member who is to be greeted, or gets a farewell. */
export type Arrival = {
  readonly connectionId: number
  readonly key: string
  readonly kind: 'greeting' | 'farewell'
  readonly contactId: number
  readonly name: string
}

/** Stores members to be greeted or to get a farewell. */
export async function insertArrivals(db: Tx, arrivals: readonly Arrival[]): Promise<void> {
  await sql`
    insert into group_arrivals (tenant_id, connection_id, key, kind, contact_id, name)
    select app.tenant(), a."connectionId", a.key, a.kind, a."contactId", a.name from jsonb_to_recordset(${JSON.stringify(arrivals)}::jsonb)
      as a ("connectionId" bigint, key text, kind text, "contactId" bigint, name text)`.execute(db)
}

/** Removes and returns the members waiting in a group. */
export async function takeArrivals(
  db: Tx,
  { connectionId, key, kind }: Pick<Arrival, 'connectionId' | 'key' | 'kind'>,
): Promise<{ contactId: number; name: string }[]> {
  const { rows } = await sql<{ id: number; contactId: number; name: string }>`
    delete from group_arrivals where tenant_id = app.tenant() and connection_id = ${connectionId} and key = ${key} and kind = ${kind}
    returning id, contact_id as "contactId", name`.execute(db)
  return rows.toSorted((one, other) => one.id - other.id)
}
