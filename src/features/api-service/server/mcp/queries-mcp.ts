import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { Forgetting } from '#server/forgetting.ts'
import type { PageStart } from '#server/paging.ts'

/** Way of undoing an effect; '': impossible. */
export type Way = '' | 'bulk' | 'kind' | 'message' | 'remove' | 'update'

/** Effect of a program's tool call. */
export type Effect = {
  id: string
  key_id: string
  operation: string
  /** Changed record, as path parameters of the operation. */
  subject: Record<string, unknown>
  way: Way
  before: unknown
  after: unknown
  undo_until: Date | null
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value))

/** Stores an effect. */
export async function insertEffect(db: Tx, effect: Effect, now: Date): Promise<void> {
  await db
    .insertInto('mcp_effects')
    .values({
      ...effect,
      ...{ tenant_id: sql`app.tenant()`, created_at: now },
      ...{ subject: JSON.stringify(effect.subject), before: json(effect.before), after: json(effect.after) },
    })
    .execute()
}

/** Claims an effect of a key for an undo, unless already undone or expired. */
export async function claimEffect(
  db: Tx,
  { id, keyId, now }: { id: string; keyId: string; now: Date },
): Promise<Effect | undefined> {
  const row = await db
    .updateTable('mcp_effects')
    .set({ undone_at: now })
    .where('id', '=', id)
    .where('key_id', '=', keyId)
    .where('undone_at', 'is', null)
    .where('undo_until', '>', now)
    .returning(['id', 'key_id', 'operation', 'subject', 'way', 'before', 'after', 'undo_until'])
    .executeTakeFirst()
  return row
}

/** Releases an effect whose undo failed. */
export const releaseEffect = (db: Tx, id: string) =>
  db.updateTable('mcp_effects').set({ undone_at: null }).where('id', '=', id).execute()

/** Whether a key has an effect of this id, in any state. */
export const hasEffect = async (db: Queryable, id: string, keyId: string): Promise<boolean> =>
  (await db
    .selectFrom('mcp_effects')
    .select('id')
    .where('id', '=', id)
    .where('key_id', '=', keyId)
    .executeTakeFirst()) !== undefined

/** Row of a call that waits for approval, or was decided. */
export type Approval = NonNullable<Awaited<ReturnType<typeof findApproval>>>

const approvals = (db: Queryable) =>
  db
    .selectFrom('mcp_approvals as a')
    .innerJoin('api_keys as k', (join) => join.onRef('k.tenant_id', '=', 'a.tenant_id').onRef('k.id', '=', 'a.key_id'))
    .innerJoin('users as o', (join) => join.onRef('o.tenant_id', '=', 'k.tenant_id').onRef('o.id', '=', 'k.user_id'))
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'a.tenant_id').onRef('u.id', '=', 'a.decided_by'))
    .selectAll('a')
    .select(['k.name as key', 'o.name as owner', 'u.name as decider'])

/** Finds one call. */
export const findApproval = (db: Queryable, id: string) => approvals(db).where('a.id', '=', id).executeTakeFirst()

/** Returns a page of calls, newest first; `isWaiting`: only pending, or only decided ones. */
export function pageOfApprovals(
  db: Queryable,
  { isWaiting, now }: { isWaiting: boolean | undefined; now: Date },
  { after, offset, limit }: PageStart<[number, string]>,
) {
  const microseconds = sql<number>`(extract(epoch from a.created_at) * 1000000)::bigint`
  const waiting = sql<boolean>`(a.status = 'waiting' and a.expires_at > ${now})`
  return approvals(db)
    .select(microseconds.as('place'))
    .$if(isWaiting === true, (q) => q.where(waiting))
    .$if(isWaiting === false, (q) => q.where(sql<boolean>`not ${waiting}`))
    .$if(after !== null, (q) =>
      q.where(sql<boolean>`(${microseconds}, a.id) < (${after![0]}::bigint, ${after![1]}::uuid)`),
    )
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Counts pending calls of the company, or of a key. */
export async function countWaiting(db: Queryable, now: Date, keyId?: string): Promise<number> {
  const { n } = await db
    .selectFrom('mcp_approvals')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('status', '=', 'waiting')
    .where('expires_at', '>', now)
    .$if(keyId !== undefined, (q) => q.where('key_id', '=', keyId!))
    .executeTakeFirstOrThrow()
  return n
}

/** Stores a call that waits. */
export async function insertApproval(
  db: Tx,
  row: {
    id: string
    key_id: string
    operation: string
    input: object
    client: string
    prompt: string
    before: unknown
    after: unknown
    expires_at: Date
  },
  now: Date,
): Promise<void> {
  await db
    .insertInto('mcp_approvals')
    .values({
      ...row,
      ...{ tenant_id: sql`app.tenant()`, created_at: now },
      ...{ input: JSON.stringify(row.input), before: json(row.before), after: json(row.after) },
    })
    .execute()
}

/** Claims a pending call for a decision; returns false if already decided or expired. */
export async function decideApproval(
  db: Tx,
  id: string,
  { status, userId, now }: { status: 'running' | 'refused'; userId: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mcp_approvals')
    .set({ status, decided_by: userId, decided_at: now })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the result of an approved call. */
export const endApproval = (
  db: Tx,
  id: string,
  result: { status: 'done' | 'failed'; effect_id?: string | null; error?: string },
) => db.updateTable('mcp_approvals').set(result).where('id', '=', id).execute()

/** Removes expired effects. */
export const removeEffects: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from mcp_effects where tenant_id = ${tenantId} and id in (
      select id from mcp_effects where tenant_id = ${tenantId} and created_at < ${before} order by created_at limit ${most})`,
  )

/** Calls that were asked for long ago. */
export const removeApprovals: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from mcp_approvals where tenant_id = ${tenantId} and id in (
      select id from mcp_approvals where tenant_id = ${tenantId} and created_at < ${before} order by created_at limit ${most})`,
  )

/** Deletes snapshots of effects and calls that concern a forgotten person. */
export const forgetTools: Forgetting = async ({ db }, { contactIds, ticketIds, identifiers }) => {
  await sql`update mcp_effects set before = null, after = null, undo_until = null
    where before is not null or after is not null`.execute(db)
  await sql`update mcp_approvals set before = null, after = null, input = '{}', prompt = ''
    where status not in ('waiting', 'running')`.execute(db)
  await sql`update mcp_approvals set before = null, after = null`.execute(db)
  await sql`delete from mcp_approvals where status = 'waiting' and (
    jsonb_path_exists(input, '$.**.contactId ? (@ == $ids[*])', jsonb_build_object('ids', to_jsonb(${[...contactIds]}::bigint[])))
    or jsonb_path_exists(input, '$.**.ticketId ? (@ == $ids[*])', jsonb_build_object('ids', to_jsonb(${[...ticketIds]}::bigint[])))
    or jsonb_path_exists(input, '$.**.id ? (@ == $ids[*])', jsonb_build_object('ids', to_jsonb(${[...contactIds, ...ticketIds]}::bigint[])))
    or exists (select from unnest(${[...identifiers]}::text[]) as i (word)
      where i.word <> '' and position(i.word in input::text || prompt) > 0))`.execute(db)
}
