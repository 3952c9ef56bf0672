import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** A saved report as it is stored. */
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

/** What is stored of a saved report. */
export type ViewValues = Omit<ViewRecord, 'id' | 'userId' | 'sentAt'>

const columns = sql.raw(
  'id, user_id as "userId", name, path, search, body, frequency, recipients, next_at as "nextAt", sent_at as "sentAt"',
)

/** The saved reports of a person, by name. */
export async function listViews(db: Queryable, userId: number): Promise<ViewRecord[]> {
  const { rows } = await sql<ViewRecord>`
    select ${columns} from report_views where user_id = ${userId} order by app.fold(name), id limit 200`.execute(db)
  return rows
}

/** A saved report, held until the transaction ends. */
export async function lockView(db: Tx, id: number): Promise<ViewRecord | undefined> {
  const { rows } = await sql<ViewRecord>`select ${columns} from report_views where id = ${id} for update`.execute(db)
  return rows[0]
}

/** Stores a new report; answers it. */
export async function insertView(db: Tx, userId: number, view: ViewValues, now: Date): Promise<ViewRecord> {
  const { rows } = await sql<ViewRecord>`
    insert into report_views (tenant_id, user_id, name, path, search, body, frequency, recipients, next_at, created_at, updated_at)
    values (app.tenant(), ${userId}, ${view.name}, ${view.path}, ${JSON.stringify(view.search)}::jsonb,
      ${JSON.stringify(view.body)}::jsonb, ${view.frequency}, ${view.recipients}::bigint[], ${view.nextAt}, ${now}, ${now})
    returning ${columns}`.execute(db)
  return rows[0]!
}

/** Changes a saved report; answers it. */
export async function updateView(db: Tx, id: number, view: ViewValues, now: Date): Promise<ViewRecord> {
  const { rows } = await sql<ViewRecord>`
    update report_views set name = ${view.name}, path = ${view.path}, search = ${JSON.stringify(view.search)}::jsonb,
      body = ${JSON.stringify(view.body)}::jsonb, frequency = ${view.frequency}, recipients = ${view.recipients}::bigint[],
      next_at = ${view.nextAt}, updated_at = ${now} where tenant_id = app.tenant() and id = ${id} returning ${columns}`.execute(
    db,
  )
  return rows[0]!
}

/** Removes a saved report. */
export const deleteView = (db: Tx, id: number) => db.deleteFrom('report_views').where('id', '=', id).execute()

/** Says when a report goes by mail the next time. */
export const sentView = (db: Tx, id: number, { sentAt, nextAt }: { sentAt: Date; nextAt: Date }) =>
  db.updateTable('report_views').set({ sent_at: sentAt, next_at: nextAt }).where('id', '=', id).execute()

/** Has a report that could not be sent tried again later. */
export const delayView = (db: Tx, id: number, nextAt: Date) =>
  db.updateTable('report_views').set({ next_at: nextAt }).where('id', '=', id).where('next_at', '<', nextAt).execute()

/** Reports that are to go by mail, in all companies that work; as the platform. */
export async function dueViews(db: Queryable, now: Date, most: number): Promise<{ tenantId: number; id: number }[]> {
  const { rows } = await sql<{ tenantId: number; id: number }>`
    select v.tenant_id as "tenantId", v.id from report_views v
    join tenants t on t.id = v.tenant_id and t.status = 'active'
    where v.next_at <= ${now} order by v.next_at limit ${most}`.execute(db)
  return rows
}

/** Who works in the company, with where mails go. */
export async function listPeople(db: Queryable): Promise<{ id: number; name: string; email: string }[]> {
  return db.selectFrom('users').select(['id', 'name', 'email']).where('is_active', '=', true).orderBy('name').execute()
}
