import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/**
 * Returns the tickets without any customer text before these messages: not opened or taken by a person, and with no messages
 * of ours except replies to calls, or rule texts on arrival.
 */
export async function findUnheard(
  db: Tx,
  ticketIds: readonly number[],
  messageIds: readonly string[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t.id = any(${[...ticketIds]}::bigint[]) and not t.is_active_demand and t.started_attendance_at is null
      and not exists (select from messages m
        where m.tenant_id = t.tenant_id and m.ticket_id = t.id and m.id <> all(${[...messageIds]}::uuid[])
          and not m.is_note and m.send_at is null and m.sync_time is null
          and case when m.from_me then m.send_type not in ('call', 'rule') else m.media_type not in ('call', 'undecrypted') end)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
