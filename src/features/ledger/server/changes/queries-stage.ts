import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Whether the company has this stage. */
export async function hasStage(db: Queryable, id: number): Promise<boolean> {
  return (await db.selectFrom('stages').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Returns live tickets whose stage differs from their contact's. */
export async function ticketsBehind(db: Queryable, contactIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where t.contact_id = any(${[...contactIds]}::bigint[]) and t.status in ('open', 'pending')
      and t.kanban is distinct from c.kanban order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Sets the stage of tickets to that of their contacts. */
export async function followContacts(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`update tickets t set kanban = c.kanban from contacts c
    where t.tenant_id = app.tenant() and t.id = any(${[...ids]}::bigint[])
      and c.tenant_id = t.tenant_id and c.id = t.contact_id`.execute(db)
}

/** Removes some closed tickets from a stage that is about to be deleted; returns their number. */
export async function leaveStage(db: Tx, kanban: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`update tickets set kanban = null
    where id = any(array(select id from tickets where kanban = ${kanban} and status = 'closed' limit ${most}))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Returns the newest live ticket of each contact that meets a condition on `tickets`, or of all. */
export async function liveTickets(
  db: Queryable,
  contactIds: readonly number[],
  visible: RawBuilder<SqlBool> = sql<SqlBool>`true`,
) {
  const rows = await db
    .selectFrom('tickets')
    .leftJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'tickets.tenant_id').onRef('users.id', '=', 'tickets.user_id'),
    )
    .distinctOn('tickets.contact_id')
    .select(['tickets.contact_id', 'tickets.id', 'tickets.status', 'users.name as username'])
    .select(['tickets.unread_messages', 'tickets.waiting_since', 'tickets.updated_at'])
    .select(['tickets.channel', 'tickets.connection_id', 'tickets.conversation_key', 'tickets.is_group'])
    .where(sql<SqlBool>`tickets.contact_id = any(${[...contactIds]}::bigint[])`)
    .where(sql<SqlBool>`tickets.status in ('open', 'pending')`)
    .where(visible)
    .orderBy('tickets.contact_id')
    .orderBy('tickets.updated_at', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.contact_id, row]))
}
