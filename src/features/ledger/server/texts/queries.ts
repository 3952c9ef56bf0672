import { type SqlBool, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { ownVariablesIn } from '#server/own-variables.ts'
import type { Subject } from './fill-in.ts'

/** Returns the data for the variables of texts in tickets, and whether bots are blocked there. */
export async function findSubjects(
  db: Queryable,
  ticketIds: readonly number[],
): Promise<Map<number, Subject & { readonly isChatbotBlocked: boolean }>> {
  const asked = db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 't.tenant_id').onRef('u.id', '=', 't.user_id'))
    .leftJoin('stages as s', (join) => join.onRef('s.tenant_id', '=', 't.tenant_id').onRef('s.id', '=', 't.kanban'))
    .select([
      't.id',
      't.contact_id',
      's.name as stage_name',
      'c.name',
      'c.number',
      'c.email',
      'c.first_name',
      'c.last_name',
      'c.business_name',
      'u.name as user_name',
      'u.email as user_email',
      't.created_at',
      'c.chatbot_blocked',
    ])
    .where(sql<SqlBool>`t.id = any(${[...ticketIds]}::bigint[])`)
    .execute()
  // One round trip.
  const [rows, ownOf] = await Promise.all([asked, ownVariablesIn(db, ticketIds)])
  return new Map(
    rows.map((row) => [
      row.id,
      {
        contact: {
          name: row.name,
          firstName: row.first_name,
          lastName: row.last_name,
          businessName: row.business_name,
          email: row.email,
          phoneNumber: row.number,
          kanban: row.stage_name,
        },
        own: ownOf(row.contact_id),
        ...(row.user_name === null ? {} : { user: { name: row.user_name, email: row.user_email ?? '' } }),
        ticket: { id: row.id, createdAt: row.created_at.getTime() },
        isChatbotBlocked: row.chatbot_blocked,
      },
    ]),
  )
}

/** Number of messages of each limited kind in a ticket, by `sendType`. */
export type SentCounts = { id: number; counts: Record<string, number> }

/** Returns the counts of locked tickets. */
export async function findSentCounts(db: Tx, ticketIds: readonly number[]): Promise<SentCounts[]> {
  const { rows } = await sql<SentCounts>`
    select id, sent_counts as counts from tickets
    where tenant_id = app.tenant() and id = any(${[...ticketIds]}::bigint[])`.execute(db)
  return rows
}

/** Stores the counts of these tickets. */
export async function saveSentCounts(db: Tx, changed: readonly SentCounts[]): Promise<void> {
  await sql`
    update tickets t set sent_counts = c.counts from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (id bigint, counts jsonb)
    where t.tenant_id = app.tenant() and t.id = c.id and t.id = any(${changed.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
}

/** Returns those of the tickets whose latest incoming message was written by a machine. */
export async function findMachines(db: Tx, ticketIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select t.id from unnest(${[...ticketIds]}::bigint[]) as t (id)
    cross join lateral (select m.data from messages m where m.tenant_id = app.tenant() and m.ticket_id = t.id and not m.from_me
      and not m.is_note order by m.timestamp desc, m.seq desc limit 1) newest
    where newest.data -> 'mail' ->> 'isAutomatic' = 'true'`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
