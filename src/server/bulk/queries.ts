import { sql } from 'kysely'
import type { Image } from '#domain/bulk/undo.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '../db/db.ts'
import { type CompanyRemoval, removed } from '../db/removal.ts'
import type { Forgetting } from '../forgetting.ts'

/** State of an operation. */
export type BulkStatus = 'running' | 'paused' | 'canceled' | 'done' | 'undoing' | 'undone'

/** State of one record: `same` needed no change, `kept` could not be restored. */
export type ItemStatus = 'waiting' | 'done' | 'same' | 'refused' | 'restored' | 'kept'

/** Stored operation. */
export type Operation = {
  id: string
  kind: string
  action: string
  args: unknown
  user_id: number | null
  status: BulkStatus
  total: number
  /** Requested ids that do not exist for the person who asked. */
  missing: readonly number[]
  undo_until: Date | null
}

/** Record of an operation. */
export type Item = { position: number; subject_id: number; before: Image | null; after: Image | null }

const columns = sql.raw('id, kind, action, args, user_id, status, total, missing, undo_until')

/** Returns an operation; `isLocked` locks it until the transaction ends. */
export async function findOperation(db: Queryable, id: string, isLocked: boolean): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`
    select ${columns} from bulk_operations where id = ${id} ${isLocked ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

/** Stores an operation with its records, all of them waiting. */
export async function insertOperation(
  db: Tx,
  {
    ids,
    now,
    ...operation
  }: Omit<Operation, 'status' | 'total' | 'undo_until'> & { ids: readonly number[]; now: Date },
): Promise<Operation> {
  const { rows } = await sql<Operation>`
    insert into bulk_operations (tenant_id, id, kind, action, args, user_id, total, missing, created_at)
    values (app.tenant(), ${operation.id}, ${operation.kind}, ${operation.action}, ${JSON.stringify(operation.args)}::jsonb,
      ${operation.user_id}, ${ids.length + operation.missing.length}, ${[...operation.missing]}::bigint[], ${now}) returning ${columns}`.execute(
    db,
  )
  await sql`
    insert into bulk_items (tenant_id, operation_id, position, subject_id)
    select app.tenant(), ${operation.id}, i.position, i.id
    from unnest(${[...ids]}::bigint[]) with ordinality as i (id, position)`.execute(db)
  return firstOf(rows)
}

/** Saves the state of an operation. */
export async function saveStatus(
  db: Tx,
  id: string,
  change: { status: BulkStatus; ended_at?: Date; undo_until?: Date | null },
): Promise<void> {
  await db.updateTable('bulk_operations').set(change).where('id', '=', id).execute()
}

/** Returns the next records in this state, in the order of selection, or from the end. */
export async function nextItems(
  db: Tx,
  id: string,
  { status, most, lastFirst = false }: { status: ItemStatus; most: number; lastFirst?: boolean },
): Promise<Item[]> {
  return db
    .selectFrom('bulk_items')
    .select(['position', 'subject_id', 'before', 'after'])
    .where('operation_id', '=', id)
    .where('status', '=', status)
    .orderBy('position', lastFirst ? 'desc' : 'asc')
    .limit(most)
    .execute()
}

/** Outcome for one record. */
export type Outcome = {
  position: number
  status: ItemStatus
  code?: string | null
  before?: Image | null
  after?: Image | null
  changedBy?: number | null
  changedAt?: string | null
}

/** Stores the outcomes of records. */
export async function saveItems(db: Tx, id: string, outcomes: readonly Outcome[]): Promise<void> {
  await sql`
    update bulk_items i set status = o.status, code = o.code, before = coalesce(o.before, i.before), after = coalesce(o.after, i.after),
      changed_by = o."changedBy", changed_at = o."changedAt"
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o (position int, status text, code text, before jsonb, after jsonb,
      "changedBy" bigint, "changedAt" timestamptz)
    where i.tenant_id = app.tenant() and i.operation_id = ${id} and i.position = o.position`.execute(db)
}

/** Returns the next records whose customer-visible effects are pending, and marks them as done. */
export async function finalizeItems(db: Tx, id: string, most: number): Promise<Item[]> {
  const { rows } = await sql<Item>`
    with due as (
      select position, before, after from bulk_items
      where operation_id = ${id} and status in ('done', 'kept') and not is_final order by position limit ${most}),
    final as (
      update bulk_items i set is_final = true, before = null, after = null from due
      where i.tenant_id = app.tenant() and i.operation_id = ${id} and i.position = due.position
      returning i.position, i.subject_id)
    select final.*, due.before, due.after from final join due using (position) order by position`.execute(db)
  return rows
}

/** Counts the records by state. */
export async function countItems(db: Queryable, id: string): Promise<Record<ItemStatus, number>> {
  const { rows } = await sql<{ status: ItemStatus; n: number }>`
    select status, count(*) as n from bulk_items where operation_id = ${id} group by status`.execute(db)
  const none = { waiting: 0, done: 0, same: 0, refused: 0, restored: 0, kept: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) }
}

/** Returns the first records that were refused, or could not be restored, with the user who changed them since. */
export async function listRefused(db: Queryable, id: string, status: 'refused' | 'kept', most: number) {
  const { rows } = await sql<{ id: number; code: string; by: string | null; at: Date | null }>`
    select i.subject_id as id, i.code, u.name as by, i.changed_at as at from bulk_items i
    left join users u on u.tenant_id = i.tenant_id and u.id = i.changed_by
    where i.operation_id = ${id} and i.status = ${status} order by i.position limit ${most}`.execute(db)
  return rows
}

/** Deletes operations that began before a time. */
export const removeBulk: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from bulk_operations where tenant_id = ${tenantId} and id in (
      select id from bulk_operations where tenant_id = ${tenantId} and created_at < ${before} limit ${most})`,
  )

/** Erases the stored before and after images of tickets and contacts that are forgotten: nothing is left to restore. */
export const forgetImages: Forgetting = async ({ db }, { ticketIds, contactIds }) => {
  await sql`update bulk_items i set before = null, after = null from bulk_operations o
    where i.tenant_id = app.tenant() and o.tenant_id = i.tenant_id and o.id = i.operation_id and (
      o.kind = 'tickets' and i.subject_id = any(${[...ticketIds]}::bigint[])
      or o.kind = 'contacts' and i.subject_id = any(${[...contactIds]}::bigint[]))`.execute(db)
}
