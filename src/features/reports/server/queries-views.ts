import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Row of a saved report. */
export type ViewRecord = {
  id: number
  userId: number
  name: string
  path: string
  search: Record<string, string>
  body: unknown
  frequency: 'weekly' | 'monthly' | null
  recipients: number[]
  nextAt: Date | null
  sentAt: Date | null
}

/** Writable fields of a saved report. */
export type ViewValues = Omit<ViewRecord, 'id' | 'userId' | 'sentAt'>

const columns = sql.raw(
  'id, user_id as "userId", name, path, search, body, frequency, recipients, next_at as "nextAt", sent_at as "sentAt"',
)

/** Returns the saved reports of a user, by name. */
export async function listViews(db: Queryable, userId: number): Promise<ViewRecord[]> {
  const { rows } = await sql<ViewRecord>`
    select ${columns} from report_views where user_id = ${userId} order by app.fold(name), id limit 200`.execute(db)
  return rows
}

/** Returns a saved report, locked until the end of the transaction. */
export async function lockView(db: Tx, id: number): Promise<ViewRecord | undefined> {
  const { rows } = await sql<ViewRecord>`select ${columns} from report_views where id = ${id} for update`.execute(db)
  return rows[0]
}

/** Inserts and returns a saved report. */
export async function insertView(db: Tx, userId: number, view: ViewValues, now: Date): Promise<ViewRecord> {
  const { rows } = await sql<ViewRecord>`
    insert into report_views (tenant_id, user_id, name, path, search, body, frequency, recipients, next_at, created_at, updated_at)
    values (app.tenant(), ${userId}, ${view.name}, ${view.path}, ${JSON.stringify(view.search)}::jsonb,
      ${JSON.stringify(view.body)}::jsonb, ${view.frequency}, ${view.recipients}::bigint[], ${view.nextAt}, ${now}, ${now})
    returning ${columns}`.execute(db)
  return rows[0]!
}

/** Updates and returns a saved report. */
export async function updateView(db: Tx, id: number, view: ViewValues, now: Date): Promise<ViewRecord> {
  const { rows } = await sql<ViewRecord>`
    update report_views set name = ${view.name}, path = ${view.path}, search = ${JSON.stringify(view.search)}::jsonb,
      body = ${JSON.stringify(view.body)}::jsonb, frequency = ${view.frequency}, recipients = ${view.recipients}::bigint[],
      next_at = ${view.nextAt}, updated_at = ${now} where tenant_id = app.tenant() and id = ${id} returning ${columns}`.execute(
    db,
  )
  return rows[0]!
}

/** Deletes a saved report. */
export const deleteView = (db: Tx, id: number) => db.deleteFrom('report_views').where('id', '=', id).execute()

/** Stores when a report was mailed, and when it is due next. */
export const sentView = (db: Tx, id: number, { sentAt, nextAt }: { sentAt: Date; nextAt: Date }) =>
  db.updateTable('report_views').set({ sent_at: sentAt, next_at: nextAt }).where('id', '=', id).execute()

/** Postpones a report whose mail failed. */
export const delayView = (db: Tx, id: number, nextAt: Date) =>
  db.updateTable('report_views').set({ next_at: nextAt }).where('id', '=', id).where('next_at', '<', nextAt).execute()

/** Returns due reports of all active tenants; requires platform database access. */
export async function dueViews(db: Queryable, now: Date, most: number): Promise<{ tenantId: number; id: number }[]> {
  const { rows } = await sql<{ tenantId: number; id: number }>`
    select v.tenant_id as "tenantId", v.id from report_views v
    join tenants t on t.id = v.tenant_id and t.status = 'active'
    where v.next_at <= ${now} order by v.next_at limit ${most}`.execute(db)
  return rows
}

/** Returns the active users of the company with their mail addresses. */
export async function listPeople(db: Queryable): Promise<{ id: number; name: string; email: string }[]> {
  return db.selectFrom('users').select(['id', 'name', 'email']).where('is_active', '=', true).orderBy('name').execute()
}
