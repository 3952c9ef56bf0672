import { type RawBuilder, sql } from 'kysely'
import { continuedTypes } from '#providers/channels/configs.ts'
import type { KnownMessage, Ledger, LedgerMessage } from '#providers/channels/port.ts'
import type { Queryable } from '#server/db/db.ts'

const MOST_IN_CONVERSATION = 50
/** Maximum number of tickets of a conversation; resolved and resumed ones have several. */
const MOST_TICKETS = 10
const MOST_WITH_SENDER = 200

/**
 * Returns messages of a connection by ids, also those waiting in the journal; and of connections whose conversations
 * continue by mail those exchanged by mail.
 */
export async function findKnown(
  db: Queryable,
  connectionId: number,
  { providerIds, messageIds }: Parameters<Ledger['known']>[0],
): Promise<KnownMessage[]> {
  const named = sql`id as "messageId", provider_id as "providerId", conversation_key as "conversationKey", data`
  const others = sql`array(select id from connections
    where tenant_id = app.tenant() and type = any(${continuedTypes()}::text[]) and not is_deleted)`
  const { rows } = await sql<KnownMessage>`
    select ${named}, null::bigint as elsewhere from messages
      where tenant_id = app.tenant() and connection_id = ${connectionId} and provider_id = any(${[...providerIds]}::text[])
    union all
    select ${named}, null from messages
      where tenant_id = app.tenant() and id = any(${[...messageIds]}::uuid[]) and connection_id = ${connectionId}
    union all
    select ${named}, connection_id from messages where tenant_id = app.tenant() and data -> 'mail' is not null
      and connection_id = any(${others}) and provider_id = any(${[...providerIds]}::text[])
    union all
    select ${named}, connection_id from messages where tenant_id = app.tenant() and data -> 'byMail' is not null
      and connection_id = any(${others}) and id = any(${[...messageIds]}::uuid[])
    union all
    select null, payload -> 'message' ->> 'providerId', payload ->> 'conversationKey', payload -> 'message' -> 'data', null from journal
      where tenant_id = app.tenant() and processed_at is null and connection_id = ${connectionId}
        and payload -> 'message' ->> 'providerId' = any(${[...providerIds]}::text[])`.execute(db)
  return rows
}

const columns = sql`m.id as "messageId", m.provider_id as "providerId", m.conversation_key as "conversationKey", m.data,
  m.from_me as "fromMe", m.from_me and m.user_id is null as "isAutomatic",
  (extract(epoch from m.timestamp) * 1000)::float8 as timestamp, m.body`
const wasSent = sql`m.provider_id is not null and not m.is_note and m.status not in ('failed', 'canceled')`

/** Returns the newest messages of a conversation, newest first. */
export async function findConversation(db: Queryable, connectionId: number, key: string): Promise<LedgerMessage[]> {
  const { rows } = await sql<LedgerMessage>`
    select ${columns} from messages m
    where m.tenant_id = app.tenant() and ${wasSent} and m.connection_id = ${connectionId} and m.ticket_id = any(array(
      select t.id from tickets t where t.tenant_id = app.tenant() and t.connection_id = ${connectionId}
        and t.conversation_key = ${key} order by t.id desc limit ${MOST_TICKETS}))
    order by m.timestamp desc, m.seq desc limit ${MOST_IN_CONVERSATION}`.execute(db)
  return rows
}

// Merged contacts are one person, whichever of them has the message.
const personAt = (connectionId: number, identity: string): RawBuilder<unknown> => sql`
  with person as (
    select coalesce(c.merged_into, c.id) as id from contact_identities i
    join connections n on n.tenant_id = i.tenant_id and n.id = ${connectionId} and n.type = i.channel
    join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
    where i.tenant_id = app.tenant() and i.identity = ${identity})
  select id from person
  union all
  select c.id from contacts c where c.tenant_id = app.tenant() and c.merged_into = (select id from person)`

/** Returns the newest messages from an address on one connection, since a moment. */
export async function findWithSender(
  db: Queryable,
  connectionId: number,
  identity: string,
  since: Date,
): Promise<LedgerMessage[]> {
  const { rows } = await sql<LedgerMessage>`
    select ${columns} from messages m
    where m.tenant_id = app.tenant() and ${wasSent} and m.connection_id = ${connectionId} and m.timestamp >= ${since}
      and m.contact_id = any(array(${personAt(connectionId, identity)}))
    order by m.timestamp desc, m.seq desc limit ${MOST_WITH_SENDER}`.execute(db)
  return rows
}

/** Returns our messages that were sent and have no response. */
export async function findUnanswered(db: Queryable, connectionId: number, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from messages where tenant_id = app.tenant() and connection_id = ${connectionId} and from_me
      and status = 'queued' and provider_id is null and created_at >= ${since}
    union all
    select id from messages where tenant_id = app.tenant() and connection_id = ${connectionId} and from_me
      and status = 'uncertain' and provider_id is null and created_at >= ${since}
    limit 100`.execute(db)
  return rows.map(({ id }) => id)
}
