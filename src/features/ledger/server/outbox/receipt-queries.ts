import { sql } from 'kysely'
import type { MessageStatus } from '#domain/messages/status.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { partOf, type Queryable, type Tx } from '#server/db/db.ts'
import { type LedgerTicket, ledgerColumns, ledgerFacts } from '../ticket/queries.ts'

/** Sent message whose status may change; `is_last` if its ticket shows it in the list. */
export type Receipted = {
  id: string
  ticket_id: number
  connection_id: number
  provider_id: string
  status: MessageStatus
  send_type: string
  is_last: boolean
}

/** Message by its provider id; null: all messages sent so far. */
export type SpokenOf = { readonly connectionId: number; readonly providerId: string | null }

/**
 * For an unknown message, waits for the transaction that is writing its provider id. Holds no locks afterwards and
 * requires none before, because that writer holds a ticket.
 */
export async function awaitSending(db: Tx, spokenOf: readonly SpokenOf[]): Promise<void> {
  const done = new Error('nothing is kept')
  const wait = async () => {
    await sql`select m.id from messages m where m.tenant_id = app.tenant() and m.from_me and m.status = 'queued'
        and m.connection_id = any(${[...new Set(spokenOf.map((one) => one.connectionId))]}::bigint[]) and exists (
        select from jsonb_to_recordset(${JSON.stringify(spokenOf)}::jsonb) as k ("connectionId" bigint, "providerId" text)
        where k."connectionId" = m.connection_id and not exists (select from messages n where n.tenant_id = m.tenant_id
          and n.connection_id = k."connectionId" and n.provider_id = k."providerId"))
      order by m.id for share of m`.execute(db)
    throw done
  }
  await partOf(db, wait).catch((error: unknown) => {
    if (error !== done) throw error
  })
}

/** Returns and locks the messages that receipts refer to, in order of id. */
export async function lockReceipted(
  db: Tx,
  keys: readonly { connectionId: number; providerId: string }[],
): Promise<Receipted[]> {
  const { rows } = await sql<Receipted>`
    select m.id, m.ticket_id, m.connection_id, m.provider_id, m.status, m.send_type,
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

/** Locks our messages without a provider id, by our id, in order. */
export async function lockUnsettled(
  db: Tx,
  keys: readonly { connectionId: number; messageId: string; providerId: string }[],
): Promise<(Receipted & { conversation_key: string })[]> {
  const { rows } = await sql<Receipted & { conversation_key: string }>`
    select m.id, m.ticket_id, m.connection_id, m.conversation_key, k."providerId" as provider_id, m.status, m.send_type,
      not exists (select from messages n where n.tenant_id = m.tenant_id and n.ticket_id = m.ticket_id and not n.is_note
        and (n.timestamp, n.seq) > (m.timestamp, m.seq)) as is_last
    from messages m join jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("connectionId" bigint, "messageId" uuid, "providerId" text)
      on k."messageId" = m.id and k."connectionId" = m.connection_id
    where m.tenant_id = app.tenant() and m.id = any(${keys.map((key) => key.messageId)}::uuid[]) and m.from_me and m.provider_id is null
    order by m.id for update of m`.execute(db)
  return rows
}

/** Returns the provider ids of messages by the aliases that the provider uses later. */
export async function namesBehind(
  db: Queryable,
  keys: readonly { connectionId: number; alias: string }[],
): Promise<{ connectionId: number; alias: string; providerId: string }[]> {
  const { rows } = await sql<{ connectionId: number; alias: string; providerId: string }>`
    select m.connection_id as "connectionId", m.provider_alias as alias, m.provider_id as "providerId" from messages m
    where m.tenant_id = app.tenant() and m.connection_id = any(${keys.map(({ connectionId }) => connectionId)}::bigint[])
      and m.provider_alias = any(${keys.map(({ alias }) => alias)}::text[]) and m.provider_id is not null`.execute(db)
  return rows
}

/** Stores aliases of messages; returns those that were new. */
export async function setAliases(
  db: Tx,
  named: readonly { id: string; connectionId: number; alias: string }[],
): Promise<{ connectionId: number; alias: string }[]> {
  const { rows } = await sql<{ connectionId: number; alias: string }>`
    update messages m set provider_alias = n.alias
    from (select distinct on (id) id, alias from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as r (id uuid, alias text)) n
    where m.tenant_id = app.tenant() and m.id = n.id and m.id = any(${named.map(({ id }) => id)}::uuid[])
      and m.provider_alias is distinct from n.alias
    returning m.connection_id as "connectionId", m.provider_alias as alias`.execute(db)
  return rows
}

/** Maximum age of the unread messages that are looked for, in days. */
const MOST_DAYS = 30
/** Time between a provider's acceptance of a message and our record of it, in seconds. */
const ANSWERED_WITHIN = 1

/**
 * Returns the provider ids of messages sent in a conversation until a moment (epoch ms by the provider's clock) that
 * are below a status. The time of sending lies between the last attempt and our record.
 */
export async function sentUntil(
  db: Queryable,
  marks: readonly { connectionId: number; conversationKey: string; below: readonly string[]; timestamp: number }[],
): Promise<{ n: number; providerId: string }[]> {
  const asked = marks.map((mark, n) => ({ n, ...mark }))
  const { rows } = await sql<{ n: number; providerId: string }>`
    select k.n, m.provider_id as "providerId"
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as k (n int, "connectionId" bigint, "conversationKey" text, below text[], timestamp double precision)
    join tickets t on t.tenant_id = app.tenant() and t.connection_id = k."connectionId" and t.conversation_key = k."conversationKey"
    cross join lateral (
      select o.id, o.provider_id, o.timestamp from messages o where o.tenant_id = t.tenant_id and o.ticket_id = t.id
        and o.timestamp between to_timestamp(k.timestamp / 1000.0) - make_interval(days => ${MOST_DAYS}) and to_timestamp(k.timestamp / 1000.0)
        and o.from_me and o.provider_id is not null and o.status = any(k.below)) m
    cross join lateral (
      select max(s.at) filter (where s.step = 'attempt') as began,
        max(s.at) filter (where s.step = 'sent') - make_interval(secs => ${ANSWERED_WITHIN}) as ended
      from message_trail s where s.tenant_id = app.tenant() and s.message_id = m.id) sent
    where greatest(m.timestamp, sent.began, sent.ended) <= to_timestamp(k.timestamp / 1000.0)
    order by k.n, m.timestamp`.execute(db)
  return rows
}

/** Returns the group members who have given receipts for messages before, and their steps, named as by `memberStep`. */
export async function memberSteps(
  db: Queryable,
  messageIds: readonly string[],
): Promise<{ messageId: string; member: string; step: string }[]> {
  const { rows } = await sql<{ messageId: string; member: string; step: string }>`
    select message_id as "messageId", detail ->> 'member' as member, step from message_trail
    where tenant_id = app.tenant() and message_id = any(${messageIds}::uuid[]) and detail ? 'member'`.execute(db)
  return rows
}

/** Writes statuses, and the provider id of a message if given and not used by another message. */
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

/** Returns the facts of tickets that the visibility rules need. */
export async function ticketFacts(db: Queryable, ids: readonly number[]): Promise<Map<number, TicketFacts>> {
  const { rows } = await sql<LedgerTicket>`
    select ${ledgerColumns()}
    from tickets t where t.tenant_id = app.tenant() and t.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, ledgerFacts(row)]))
}
