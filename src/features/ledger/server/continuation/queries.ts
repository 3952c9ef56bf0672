import { sql } from 'kysely'
import type { ByMailState } from '#domain/messages/by-mail.ts'
import type { Tx } from '#server/db/db.ts'

/** Maximum number of messages in one mail. */
const MOST_IN_A_MAIL = 100
/** Maximum number of references of a mail, as ids of its conversation. */
const MOST_REFERENCES = 20

/** Message that did not reach its contact; `userId` is null for automatic ones. */
export type Undelivered = {
  id: string
  userId: number | null
  file: { name: string; mime: string; size: number; path: string } | null
}

/**
 * Returns and locks messages that a ticket's channel has taken since a moment and the contact has not received, oldest
 * first; without those sent by mail.
 */
export async function lockUndelivered(db: Tx, ticketId: number, since: Date): Promise<Undelivered[]> {
  const { rows } = await sql<Undelivered>`
    select m.id, m.user_id as "userId", case when f.id is not null then
      jsonb_build_object('name', f.name, 'mime', f.mime, 'size', f.size, 'path', f.path) end as file
    from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id and t.connection_id = m.connection_id
    left join files f on f.tenant_id = m.tenant_id and f.id = m.file_id
    where m.ticket_id = ${ticketId} and m.timestamp >= ${since} and m.from_me and not m.is_note and not m.is_deleted
      and m.status = 'sent' and m.provider_id is not null and m.data -> 'byMail' is null
    order by m.timestamp, m.seq limit ${MOST_IN_A_MAIL} for update of m`.execute(db)
  return rows
}

/** Stores the mail that carries messages. */
export async function setByMail(db: Tx, ids: readonly string[], mailId: string): Promise<void> {
  const byMail = { byMail: { id: mailId, state: 'sending' } }
  await sql`update messages set data = coalesce(data, '{}') || ${JSON.stringify(byMail)}::jsonb, updated_at = app.now()
    where id = any(${[...ids]}::uuid[])`.execute(db)
}

/** Returns the messages of a ticket in a mail without a result. */
export async function mailsUnderWay(db: Tx, ticketId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct data #>> '{byMail,id}' as id from messages
    where ticket_id = ${ticketId} and data #>> '{byMail,state}' = 'sending'`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the ticket of a mail's messages; undefined if they are gone. */
export const ticketOfMail = async (db: Tx, mailId: string): Promise<number | undefined> =>
  (await db.selectFrom('messages').select('ticket_id').where('id', '=', mailId).executeTakeFirst())?.ticket_id

/** Mail of a ticket, with the previous states that its messages may have. */
type MailAt = { readonly ticketId: number; readonly mailId: string; readonly before: readonly ByMailState[] }

const messagesAt = ({ ticketId, mailId, before }: MailAt) => sql`ticket_id = ${ticketId}
  and data #>> '{byMail,id}' = ${mailId} and data #>> '{byMail,state}' = any(${[...before]}::text[])`

/** Changes the state of a continuation mail; returns its messages. */
export async function changeByMail(db: Tx, mail: MailAt, state: ByMailState): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update messages set data = jsonb_set(data, '{byMail,state}', to_jsonb(${state}::text)), updated_at = app.now()
    where ${messagesAt(mail)} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Detaches the messages of a mail from it; returns their ids. */
export async function clearByMail(db: Tx, mail: MailAt): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update messages set data = nullif(data - 'byMail', '{}'), updated_at = app.now()
    where ${messagesAt(mail)} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the latest twenty mails of a ticket, oldest first: ours by our ids, others by their Message-IDs. */
export async function mailsOf(db: Tx, ticketId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select coalesce(data #>> '{byMail,id}', provider_id) as id, max(seq) as seq from messages
      where ticket_id = ${ticketId} and (data -> 'mail' is not null or data #>> '{byMail,state}' in ('sent', 'uncertain'))
      group by 1 order by 2 desc limit ${MOST_REFERENCES}) last order by seq`.execute(db)
  return rows.map(({ id }) => id)
}
