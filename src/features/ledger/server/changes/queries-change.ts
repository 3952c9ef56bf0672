import { sql, type Updateable } from 'kysely'
import type { DB } from '#db/types.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { firstOf } from '#domain/present.ts'
import type { TicketLog } from '#domain/tickets/logs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { insertAllLogs } from '../sets/queries-bulk.ts'

const tenant = sql<number>`app.tenant()`
// Literals, so that the partial unique index is used.
const isActive = sql<boolean>`status in ('open', 'pending')`

/** Changes a ticket. */
export async function updateTicket(db: Tx, id: number, change: Updateable<DB['tickets']>): Promise<void> {
  await db.updateTable('tickets').set(change).where('id', '=', id).execute()
}

/** Sets the time since when the customers of locked tickets wait for an answer. */
export async function setWaiting(db: Tx, ids: readonly number[], since: Date): Promise<void> {
  await db.updateTable('tickets').set({ waiting_since: since }).where('id', 'in', ids).execute()
}

/** Switches assistants of a ticket on or off; those not named stay as they are. */
export async function switchAssistants(db: Tx, id: number, switches: Readonly<Record<string, boolean>>): Promise<void> {
  const changed = sql`assistants || ${JSON.stringify(switches)}::jsonb`
  await db
    .updateTable('tickets')
    .set({ assistants: sql`${changed}` })
    .where('id', '=', id)
    .execute()
}

/** Switches assistants on or off for many tickets; null removes a switch. */
export async function switchAllAssistants(
  db: Tx,
  all: readonly { readonly ticketId: number; readonly switches: Readonly<Record<string, boolean | null>> }[],
): Promise<void> {
  await sql`
    update tickets t set assistants = jsonb_strip_nulls(t.assistants || s.switches)
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as s ("ticketId" bigint, switches jsonb)
    where t.tenant_id = app.tenant() and t.id = s."ticketId" and t.id = any(${all.map(({ ticketId }) => ticketId)}::bigint[])`.execute(
    db,
  )
}

/** Initial values of a ticket. */
export type NewTicket = {
  status: 'open' | 'pending' | 'closed'
  user_id: number | null
  queue_id: number | null
  connection_id: number
  contact_id: number
  conversation_key: string
  channel: string
  is_group: boolean
  is_active_demand: boolean
  started_attendance_at: Date | null
  closed_reason?: string
  answered?: boolean
  now: Date
}

/**
 * Creates tickets of one connection, one per conversation; returns their ids by conversation, without those that already
 * have an active ticket (decision B19).
 */
export async function insertTickets(db: Tx, tickets: readonly NewTicket[]): Promise<Map<string, number>> {
  if (tickets.length === 0) return new Map()
  const made = await db
    .insertInto('tickets')
    .values(
      tickets.map(({ now, ...row }) => ({
        ...{ tenant_id: tenant, ...row, last_message_at: now, created_at: now, updated_at: now },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'conversation_key'])
    .execute()
  return new Map(made.map(({ id, conversation_key }) => [conversation_key, id]))
}

/** Creates a ticket and returns its id; null if the conversation already has an active one. */
export const insertTicket = async (db: Tx, ticket: NewTicket): Promise<number | null> =>
  (await insertTickets(db, [ticket])).get(ticket.conversation_key) ?? null

/** Returns the active ticket of a conversation, or of the person of that address who has moved to another one. */
export const findActive = async (
  db: Queryable,
  connectionId: number,
  conversationKey: string,
): Promise<{ id: number } | undefined> => {
  const here = sql`connection_id = ${connectionId} and ${isActive}`
  const { rows } = await sql<{ id: number }>`
    (select id from tickets where ${here} and conversation_key = any(${spellingsOf(conversationKey)}::text[]))
    union all
    (select id from tickets where ${here} and not is_group
      and contact_id = app.person_at((select type from connections where id = ${connectionId}), ${conversationKey}))
    limit 1`.execute(db)
  return rows[0]
}

/** Returns the active ticket of a contact on a connection; the newest, if there are several conversations. */
export const findActiveOfContact = (db: Queryable, contactId: number, connectionId: number) =>
  db
    .selectFrom('tickets')
    .select('id')
    .where('contact_id', '=', contactId)
    .where('connection_id', '=', connectionId)
    .where(isActive)
    .orderBy('id', 'desc')
    .executeTakeFirst()

/** Returns the active tickets of a contact, the one with the newest message first. */
export const activeOfContact = (db: Queryable, contactId: number) =>
  db
    .selectFrom('tickets')
    .select(['id', 'connection_id'])
    .where('contact_id', '=', contactId)
    .where(isActive)
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Returns the connection of a contact's newest ticket. */
export const lastConnectionOf = async (db: Queryable, contactId: number): Promise<number | undefined> => {
  const newest = db.selectFrom('tickets').select('connection_id').where('contact_id', '=', contactId)
  return (await newest.orderBy('id', 'desc').limit(1).executeTakeFirst())?.connection_id
}

/** Returns the name of a contact. */
export const nameOf = (db: Queryable, contactId: number) =>
  db.selectFrom('contacts').select('name').where('id', '=', contactId).executeTakeFirst()

/** Appends entries to a ticket's log, in order. */
export const insertLogs = (db: Tx, ticketId: number, logs: readonly TicketLog[], now: Date): Promise<void> =>
  insertAllLogs(
    db,
    logs.map((log) => ({ ...log, ticketId })),
    now,
  )

/** Replaces the tags of a ticket; returns false if one of them does not exist. */
export async function replaceTags(db: Tx, ticketId: number, tagIds: readonly number[]): Promise<boolean> {
  const wanted = sql`${[...new Set(tagIds)]}::bigint[]`
  await db
    .deleteFrom('ticket_tags')
    .where('ticket_id', '=', ticketId)
    .where(sql<boolean>`tag_id <> all(${wanted})`)
    .execute()
  await sql`insert into ticket_tags (tenant_id, ticket_id, tag_id)
    select tenant_id, ${ticketId}, id from tags where id = any(${wanted}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from ticket_tags where ticket_id = ${ticketId}`.execute(db)
  return firstOf(rows).n === new Set(tagIds).size
}

/** Returns an active user, to whom a ticket can be assigned. */
export const findAssignee = (db: Queryable, id: number) =>
  db.selectFrom('users').select('id').where('id', '=', id).where('is_active', '=', true).executeTakeFirst()

/** Returns the name of a colleague. */
export const findUsername = async (db: Queryable, id: number): Promise<string | undefined> =>
  (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst())?.name

/** Returns an active queue. */
export const findActiveQueue = (db: Queryable, id: number) =>
  db.selectFrom('queues').select('id').where('id', '=', id).where('is_active', '=', true).executeTakeFirst()

/** Returns a contact, or the one that it was merged into, with the data that a conversation needs. */
export const findContact = (db: Queryable, id: number) =>
  db
    .selectFrom('contacts')
    .select(['id', 'number', 'is_group', 'blocked'])
    .where('id', '=', sql<number>`(select coalesce(merged_into, id) from contacts where id = ${id})`)
    .executeTakeFirst()
