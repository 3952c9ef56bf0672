import { type Selectable, sql, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Sync state of an account's calendar, and whether its provider may be called. */
export type SyncRow = Omit<Selectable<DB['calendar_syncs']>, 'tenant_id'>

const columns = [
  ...(['account_id', 'status', 'problem', 'email', 'cursor', 'round', 'full_at', 'synced_at', 'due_at'] as const),
] as const

/** Returns the sync states of the company's calendars, each with its number of pending changes. */
export async function listSyncs(db: Queryable): Promise<(SyncRow & { waiting: number })[]> {
  const rows = await db
    .selectFrom('calendar_syncs as s')
    .select(columns)
    .select((from) =>
      from
        .selectFrom('calendar_events as e')
        .select((one) => one.fn.countAll<number>().as('n'))
        .whereRef('e.tenant_id', '=', 's.tenant_id')
        .whereRef('e.account_id', '=', 's.account_id')
        .where('e.wanted', 'is not', null)
        .as('waiting'),
    )
    .execute()
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting) }))
}

/** Finds the sync state of an account. */
export const findSync = (db: Queryable, accountId: number): Promise<SyncRow | undefined> =>
  db.selectFrom('calendar_syncs').select(columns).where('account_id', '=', accountId).executeTakeFirst()

/** Finds the sync state of an account, locked until the transaction ends. */
export const lockSync = (db: Tx, accountId: number): Promise<SyncRow | undefined> =>
  db.selectFrom('calendar_syncs').select(columns).where('account_id', '=', accountId).forUpdate().executeTakeFirst()

/** Inserts the sync state of an account without login. */
export const insertSync = (db: Tx, accountId: number, now: Date) =>
  db
    .insertInto('calendar_syncs')
    .values({ tenant_id: sql<number>`app.tenant()`, account_id: accountId, due_at: now })
    .execute()

/** Updates the sync state of an account. */
export const updateSync = (
  db: Tx,
  accountId: number,
  change: Omit<Updateable<DB['calendar_syncs']>, 'tenant_id' | 'account_id'>,
) => db.updateTable('calendar_syncs').set(change).where('account_id', '=', accountId).execute()

/** Returns the due accounts of all companies; requires platform database access. */
export async function dueSyncs(db: Queryable, now: Date, most: number) {
  const { rows } = await sql<{ tenantId: number; accountId: number }>`
    select s.tenant_id as "tenantId", s.account_id as "accountId" from calendar_syncs s
    join provider_settings p on p.tenant_id = s.tenant_id and p.id = s.account_id and p.is_active
    where s.status in ('ok', 'failed') and s.due_at <= ${now} order by s.due_at limit ${most}`.execute(db)
  return rows
}

/** Claims a due account until its next due time; returns false if another process has it. */
export async function claimSync(db: Tx, accountId: number, now: Date, next: Date): Promise<boolean> {
  const { rows } = await sql`
    update calendar_syncs set due_at = ${next} where tenant_id = app.tenant() and account_id = ${accountId}
      and status in ('ok', 'failed') and due_at <= ${now} returning 1`.execute(db)
  return rows.length > 0
}
