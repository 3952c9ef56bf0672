import { sql } from 'kysely'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { Queryable } from '#server/db/db.ts'
import { type LedgerTicket, ledgerColumns } from './queries.ts'

/** Returns the live ticket of a conversation. */
export async function findLive(
  db: Queryable,
  connectionId: number,
  conversationKey: string,
): Promise<LedgerTicket | undefined> {
  const { rows } = await sql<LedgerTicket>`select ${ledgerColumns()} from tickets t
    where t.tenant_id = app.tenant() and t.connection_id = ${connectionId} and t.conversation_key = any(${spellingsOf(conversationKey)}::text[]) and t.status in ('open', 'pending')`.execute(
    db,
  )
  return rows[0]
}
