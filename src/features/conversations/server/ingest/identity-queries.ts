import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** Lets a conversation go on under another name, with what of it is still to be sent. */
export async function renameConversation(
  db: Tx,
  { connectionId, from, to }: { connectionId: number; from: string; to: string },
): Promise<void> {
  await sql`
    with renamed as (
      update tickets set conversation_key = ${to}
      where tenant_id = app.tenant() and connection_id = ${connectionId} and conversation_key = ${from} returning id),
    acts as (
      update message_acts set conversation_key = ${to}
      where tenant_id = app.tenant() and connection_id = ${connectionId} and conversation_key = ${from})
    update messages set conversation_key = ${to} where tenant_id = app.tenant() and ticket_id = any(array(select id from renamed))`.execute(
    db,
  )
}
