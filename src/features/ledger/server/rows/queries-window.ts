import { sql } from 'kysely'
import { typeNames } from '#kit/channel-types.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import type { Tx } from '#server/db/db.ts'

// Other channels need no look-up.
const withWindow = (): string[] =>
  channelConfigs.flatMap(({ capabilities, types }) => (capabilities.windowHours === null ? [] : typeNames(types)))

/**
 * SQL expression for the time of the contact's last message in other tickets of the conversation; null for channels without
 * a window. The ticket's own time is in its row: after waiting for a lock the row is current, joined lookups are not.
 */
export const conversationReceivedAt = (ticket: 't' | 'tickets') => sql<Date | null>`
  case when ${sql.ref(`${ticket}.channel`)} = any(${withWindow()}::text[]) then (
    select max(o.last_message_received_at) from tickets o where o.tenant_id = ${sql.ref(`${ticket}.tenant_id`)}
      and o.connection_id = ${sql.ref(`${ticket}.connection_id`)} and o.conversation_key = ${sql.ref(`${ticket}.conversation_key`)}
      and o.id <> ${sql.ref(`${ticket}.id`)}) end`

/** Backdates the contact's last message in conversations of a connection to a time at the latest; returns their live tickets. */
export async function backdateLastWord(
  db: Tx,
  { connectionId, keys }: { readonly connectionId: number; readonly keys: readonly string[] },
  at: Date,
): Promise<number[]> {
  const rows = await db
    .updateTable('tickets')
    .set({ last_message_received_at: at })
    .where('connection_id', '=', connectionId)
    .where('conversation_key', 'in', [...keys])
    .where('last_message_received_at', '>', at)
    .returning(['id', 'status'])
    .execute()
  return rows.flatMap(({ id, status }) => (status === 'closed' ? [] : [id]))
}
