import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** Ticket that an older message may be placed in. */
export type PlacedTicket = {
  id: number
  contact_id: number
  connection_id: number
  conversation_key: string
  created_at: Date
}

/** Value of `closed_reason` for tickets with imported history only. */
export const FROM_HISTORY = 'history'

/** Returns all tickets of conversations, in any spelling of the number, oldest first. */
export async function ticketsOfConversations(
  db: Tx,
  keys: readonly { connectionId: number; spellings: readonly string[] }[],
): Promise<PlacedTicket[]> {
  const { rows } = await sql<PlacedTicket>`
    select t.id, t.contact_id, t.connection_id, t.conversation_key, t.created_at from tickets t
    join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("connectionId" bigint, spellings text[])
      on t.connection_id = k."connectionId" and t.conversation_key = any(k.spellings)
    where t.tenant_id = app.tenant() and t.connection_id = any(${keys.map((key) => key.connectionId)}::bigint[])
      and t.conversation_key = any(${keys.flatMap((key) => key.spellings)}::text[])
    order by t.created_at, t.id`.execute(db)
  return rows
}

/** Updates the last message and list position of tickets with imported history only; times in epoch ms. */
export async function showNewest(
  db: Tx,
  newest: readonly { ticketId: number; text: string; fromMe: boolean; status: string; at: number }[],
): Promise<void> {
  await sql`
    update tickets t set last_message = n.text, last_message_from_me = n."fromMe", last_message_status = n.status,
      last_message_at = to_timestamp(n.at / 1000.0), updated_at = to_timestamp(n.at / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(newest)}::jsonb) as n ("ticketId" bigint, text text, "fromMe" boolean, status text, at double precision)
    where t.tenant_id = app.tenant() and t.id = n."ticketId" and t.id = any(${newest.map(({ ticketId }) => ticketId)}::bigint[])
      and t.status = 'closed' and t.closed_reason = ${FROM_HISTORY} and t.last_message_at <= to_timestamp(n.at / 1000.0)`.execute(
    db,
  )
}
