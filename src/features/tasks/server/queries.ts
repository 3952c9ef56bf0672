import { type SqlBool, sql } from 'kysely'
import { firstOf, present } from '#domain/present.ts'
import type { Actor } from '#server/actors.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'
import { tableOf } from '#server/table.ts'
import { type Task, tasks } from '../tasks.ts'

/** Table access to tasks, with owners and related records. */
export const taskTable = tableOf<Task>(tasks.spec, [
  sql`user_id as "userId"`,
  sql`recurrence`,
  sql`recurrence_times as "recurrenceTimes"`,
  sql`ticket_id as "ticketId"`,
  sql`contact_id as "contactId"`,
  sql`opportunity_id as "opportunityId"`,
])

/** Filters of a list of tasks beside those of their fields. */
export type About = {
  readonly ids?: readonly number[] | undefined
  readonly ticketId?: number | undefined
  readonly contactId?: number | undefined
  readonly opportunityId?: number | undefined
}

/** SQL filter for tasks that a user sees: owned or created by them, and for leads all. */
export const seenBy = ({ id, profile }: Pick<Actor, 'id' | 'profile'>, about: About = {}) =>
  sql<SqlBool>`${sql.join(
    [
      profile === 'user' ? sql`(tasks.owner_id = ${id} or tasks.user_id = ${id})` : sql`true`,
      ...(about.ids === undefined ? [] : [sql`tasks.id = any(${[...about.ids]}::bigint[])`]),
      ...(about.ticketId === undefined ? [] : [sql`tasks.ticket_id = ${about.ticketId}`]),
      ...(about.contactId === undefined ? [] : [sql`tasks.contact_id = ${about.contactId}`]),
      ...(about.opportunityId === undefined ? [] : [sql`tasks.opportunity_id = ${about.opportunityId}`]),
    ],
    sql` and `,
  )}`

/** Fields of a task that are not in its form. */
export type TaskLinks = {
  readonly ticketId?: number | null | undefined
  readonly contactId?: number | null | undefined
  readonly opportunityId?: number | null | undefined
}

/**
 * Returns each opportunity's open task due first, among those the user sees: its own tasks, and its contact's without
 * opportunity. `cards` lists each opportunity with its contact, and again with other contacts of the same person.
 */
export async function nextTasksOf(
  db: Queryable,
  cards: readonly { readonly id: number; readonly contactId: number }[],
  user: Pick<Actor, 'id' | 'profile'>,
): Promise<Map<number, { id: number; name: string; limitDate: string }>> {
  const [ids, contactIds] = [cards.map(({ id }) => id), cards.map(({ contactId }) => contactId)]
  const { rows } = await sql<{ cardId: number; id: number; name: string; limitDate: string }>`
    select distinct on (c.id) c.id as "cardId", tasks.id, tasks.name, tasks.limit_date::text as "limitDate"
    from unnest(${ids}::bigint[], ${contactIds}::bigint[]) c (id, contact_id)
    join tasks on tasks.contact_id = c.contact_id and (tasks.opportunity_id is null or tasks.opportunity_id = c.id)
    where tasks.status <> 'finished' and ${seenBy(user)}
    order by c.id, tasks.limit_date, tasks.id`.execute(db)
  return new Map(rows.map(({ cardId, ...task }) => [cardId, task]))
}

/** Finds an owner's unfinished task. */
export const findOpenTask = (db: Queryable, id: number, ownerId: number) =>
  db
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('status', '<>', 'finished')
    .executeTakeFirst()

/** Whether a contact is there. */
export const findContact = (db: Queryable, id: number) =>
  db.selectFrom('contacts').select('id').where('id', '=', id).executeTakeFirst()

/** Whether a colleague is there. */
export const findColleague = (db: Queryable, id: number) =>
  db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()

/** Record of a task's log: `changes` are fields with old and new values. */
export type TaskLog = {
  readonly taskId: number
  readonly type: 'created' | 'changed' | 'finished' | 'reopened' | 'delayed'
  readonly userId: number | null
  readonly changes?: Readonly<Record<string, readonly [unknown, unknown]>>
}

/** Inserts task logs. */
export async function insertLogs(db: Tx, logs: readonly TaskLog[], at: Date): Promise<void> {
  if (logs.length === 0) return
  await db
    .insertInto('task_logs')
    .values(
      logs.map(({ taskId, type, userId, changes = {} }) => ({
        tenant_id: sql<number>`app.tenant()`,
        ...{ task_id: taskId, type, user_id: userId, changes: JSON.stringify(changes), created_at: at },
      })),
    )
    .execute()
}

/** Returns a page of the logs of a user's tasks, newest first; `after` is the last one of the previous page. */
export async function pageOfLogs(db: Queryable, ownerId: number, { after, offset, limit }: PageStart<[number]>) {
  return db
    .selectFrom('task_logs as l')
    .innerJoin('tasks as t', (join) => join.onRef('t.tenant_id', '=', 'l.tenant_id').onRef('t.id', '=', 'l.task_id'))
    .select([
      'l.id',
      'l.task_id as todoListId',
      't.name',
      'l.type',
      'l.user_id as userId',
      'l.changes',
      'l.created_at as createdAt',
    ])
    .where('t.owner_id', '=', ownerId)
    .$if(after !== null, (query) => query.where('l.id', '<', present(after)[0]))
    .orderBy('l.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Returns companies with open tasks whose day is over in some zone. */
export async function tenantsWithOverdue(db: Queryable, latestDay: string): Promise<number[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('tenant_id')
    .distinct()
    .where('status', '=', 'pending')
    .where('limit_date', '<', sql<never>`${latestDay}::date`)
    .execute()
  return rows.map(({ tenant_id }) => Number(tenant_id))
}

/** Sets open tasks whose day is over to `delayed`, oldest first; returns their ids. */
export async function delayOverdue(db: Tx, today: string, most: number, now: Date) {
  const { rows } = await sql<{ id: number }>`
    update tasks set status = 'delayed', updated_at = ${now}
    where tenant_id = app.tenant() and id = any(array(
      select id from tasks where status = 'pending' and limit_date < ${today}::date
      order by limit_date, id limit ${most} for update skip locked))
    returning id`.execute(db)
  return rows
}

/** Returns the companies with due reminders. */
export async function tenantsWithReminders(db: Queryable, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct tenant_id as id from tasks
    where remind_at <= ${now} and remind_at is not null and reminded_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Marks due reminders as sent and returns their unfinished tasks; each is returned once. */
export async function takeReminders(db: Tx, now: Date, most: number) {
  const { rows } = await sql<{ id: number; name: string; ownerId: number | null; isOpen: boolean }>`
    update tasks set reminded_at = ${now}
    where tenant_id = app.tenant() and id = any(array(
      select id from tasks where remind_at <= ${now} and remind_at is not null and reminded_at is null
      order by remind_at, id limit ${most} for update skip locked))
    returning id, name, owner_id as "ownerId", status <> 'finished' as "isOpen"`.execute(db)
  return rows
}

/** Counts a user's open tasks that are delayed, or due on a day (`YYYY-MM-DD`). */
export async function countOpen(
  db: Queryable,
  ownerId: number,
  today: string,
): Promise<{ delayed: number; today: number }> {
  const { rows } = await sql<{ delayed: number; today: number }>`
    select count(*) filter (where limit_date < ${today}::date)::int as delayed,
      count(*) filter (where limit_date = ${today}::date)::int as today
    from tasks where owner_id = ${ownerId} and status in ('delayed', 'pending') and limit_date <= ${today}::date`.execute(
    db,
  )
  return firstOf(rows)
}

/** Returns the tasks of some days (`YYYY-MM-DD`) that a user sees, earliest first. */
export async function tasksOn(
  db: Queryable,
  user: Pick<Actor, 'id' | 'profile'>,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
) {
  const { rows } = await sql<{ id: number; name: string; day: string; status: Task['status']; ownerId: number | null }>`
    select id, name, limit_date::text as day, status, owner_id as "ownerId" from tasks
    where limit_date between ${from}::date and ${to}::date and ${seenBy(user)}
    order by limit_date, id limit ${limit}`.execute(db)
  return rows
}
