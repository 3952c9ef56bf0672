import { sql } from 'kysely'
import type { MessageStatus } from '#domain/messages/status.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type LedgerTicket, ledgerColumns, ledgerFacts } from './ingest-queries.ts'

/** A sent message whose status may change; `is_last` when its ticket shows it in the list. */
export type Receipted = {
  id: string
  ticket_id: number
  connection_id: number
  provider_id: string
  status: MessageStatus
  is_last: boolean
}

/** Holds the messages that receipts speak of, in order of id. */
export async function lockReceipted(
  db: Tx,
  keys: readonly { connectionId: number; providerId: string }[],
): Promise<Receipted[]> {
  const { rows } = await sql<Receipted>`
    select m.id, m.ticket_id, m.connection_id, m.provider_id, m.status,
      not exists (select from messages n where n.tenant_id = m.tenant_id and n.ticket_id = m.ticket_id and not n.is_note
        and (n.timestamp, n.seq) > (m.timestamp, m.seq)) as is_last
    from messages m
    where m.tenant_id = app.tenant() and m.from_me and m.provider_id is not null and exists (
      select from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("connectionId" bigint, "providerId" text)
      where k."connectionId" = m.connection_id and k."providerId" = m.provider_id)
      and m.provider_id = any(${keys.map((key) => key.providerId)}::text[]) and m.connection_id = any(${keys.map((key) => key.connectionId)}::bigint[])
    order by m.id for update of m`.execute(db)
  return rows
}

/** Which members of their groups have given receipts for messages before, as `memberStep` names them. */
export async function memberSteps(
  db: Queryable,
  messageIds: readonly string[],
): Promise<{ messageId: string; member: string; step: string }[]> {
  const { rows } = await sql<{ messageId: string; member: string; step: string }>`
    select message_id as "messageId", detail ->> 'member' as member, step from message_trail
    where tenant_id = app.tenant() and message_id = any(${messageIds}::uuid[]) and detail ? 'member'`.execute(db)
  return rows
}

/** Writes statuses, and under which id the provider knows a message, where that is said, and no other message bears it. */
export async function setStatuses(
  db: Tx,
  changes: readonly { id: string; status: MessageStatus; errorCode: string | null; providerId?: string | undefined }[],
): Promise<void> {
  await sql`update messages m set status = c.status, error_code = c."errorCode", updated_at = app.now(),
      provider_id = case when c."providerId" is null or exists (select from messages k
        where k.tenant_id = m.tenant_id and k.connection_id = m.connection_id and k.provider_id = c."providerId") then m.provider_id
        else c."providerId" end
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (id uuid, status text, "errorCode" text, "providerId" text)
    where m.tenant_id = app.tenant() and m.id = c.id and m.id = any(${changes.map((change) => change.id)}::uuid[])`.execute(
    db,
  )
}

/** Writes the tick that the list shows; order in the list does not change by a tick (decision B4). */
export async function setLastStatus(
  db: Tx,
  changes: readonly { ticketId: number; status: MessageStatus }[],
): Promise<void> {
  await sql`update tickets t set last_message_status = c.status
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c ("ticketId" bigint, status text)
    where t.tenant_id = app.tenant() and t.id = c."ticketId" and t.id = any(${changes.map((change) => change.ticketId)}::bigint[])
      and t.last_message_from_me`.execute(db)
}

/** What the visibility rules need to know of these tickets. */
export async function ticketFacts(db: Queryable, ids: readonly number[]): Promise<Map<number, TicketFacts>> {
  const { rows } = await sql<LedgerTicket>`
    select ${ledgerColumns()}
    from tickets t where t.tenant_id = app.tenant() and t.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, ledgerFacts(row)]))
}
