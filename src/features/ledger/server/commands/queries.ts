import { sql } from 'kysely'
import { firstOf, present } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`
// A literal, so that the partial indexes are used.
const isActive = sql<boolean>`status in ('open', 'pending')`

/** Returns an active chat flow, with its nodes as drawn. */
export const findChatFlow = (db: Queryable, id: number) =>
  db
    .selectFrom('chat_flows')
    .select(['id', 'definition'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('is_deleted', '=', false)
    .where('auto_reply_id', 'is', null)
    .where('published_version', 'is not', null)
    .executeTakeFirst()

/** Returns the chat flows that conversations can be handed to, by name; `all` includes drafts and inactive ones. */
export const listChatFlows = (db: Queryable, all: boolean) =>
  db
    .selectFrom('chat_flows')
    .select(['id', 'name', 'is_active', 'test_number', 'published_version', 'keyword', 'starts_on'])
    .$if(all, (query) =>
      query.select(
        sql<boolean>`definition is distinct from (select v.definition from chat_flow_versions v
          where v.tenant_id = chat_flows.tenant_id and v.chat_flow_id = chat_flows.id
            and v.version = chat_flows.published_version)`.as('is_unpublished'),
      ),
    )
    .where('is_deleted', '=', false)
    .where('auto_reply_id', 'is', null)
    .$if(!all, (query) => query.where('is_active', '=', true).where('published_version', 'is not', null))
    .orderBy('name')
    .orderBy('id')
    .limit(500)
    .execute()

/** Saves tickets' positions in their flows; no list shows them, so no events. The caller holds the tickets. */
export async function saveFlowPositions(
  db: Tx,
  positions: ReadonlyMap<number, { readonly nodeId: string | null; readonly retries: number }>,
): Promise<void> {
  if (positions.size === 0) return
  const rows = [...positions].map(([id, { nodeId, retries }]) => ({ id, nodeId, retries }))
  await sql`
    update tickets t set chat_flow_node = p."nodeId", bot_retries = p.retries
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (id bigint, "nodeId" text, retries int)
    where t.tenant_id = app.tenant() and t.id = p.id and t.id = any(${[...positions.keys()]}::bigint[])`.execute(db)
}

/** Returns the connections that begin with a chat flow, by name, for each flow. */
export async function connectionsByFlow(db: Queryable): Promise<Map<number, { id: number; name: string }[]>> {
  const rows = await db
    .selectFrom('connections')
    .select(['id', 'name', 'chat_flow_id'])
    .where('chat_flow_id', 'is not', null)
    .where('is_deleted', '=', false)
    .orderBy('name')
    .execute()
  return Map.groupBy(rows, (row) => row.chat_flow_id!)
}

/** Returns the chat flows whose published version starts another flow, by name, for each started flow. */
export async function startersByFlow(db: Queryable): Promise<Map<number, { id: number; name: string }[]>> {
  const { rows } = await sql<{ id: number; name: string; started: number }>`
    select distinct f.id, f.name, (k.id #>> '{}')::bigint as started from chat_flows f
    join chat_flow_versions v on v.tenant_id = f.tenant_id and v.chat_flow_id = f.id and v.version = f.published_version
    cross join lateral jsonb_path_query(v.definition, '$.nodeList[*].interactions[*].**{0 to 1}.chatFlow') k (id)
    where f.tenant_id = app.tenant() and f.is_active and not f.is_deleted and f.auto_reply_id is null
      and k.id #>> '{}' ~ '^[0-9]{1,15}$'
    order by f.name, f.id limit 5000`.execute(db)
  return Map.groupBy(rows, ({ started }) => Number(started))
}

/**
 * Returns those of the conversations whose contact has an active ticket on the connection, in any spelling of the number and
 * at any of the contact's addresses.
 */
export async function takenOn(db: Queryable, connectionId: number, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select k.key from unnest(${[...new Set(keys)]}::text[]) as k (key)
    where exists (select from tickets t where t.tenant_id = app.tenant() and t.connection_id = ${connectionId}
      and app.line_of(t.conversation_key) = app.line_of(k.key) and t.status in ('open', 'pending'))
      or exists (select from tickets t where t.tenant_id = app.tenant() and t.connection_id = ${connectionId} and not t.is_group
      and t.contact_id = app.person_at((select type from connections where id = ${connectionId}), k.key)
      and t.status in ('open', 'pending'))`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/**
 * Moves waiting messages of tickets to the tickets' current connections; messages being sent stay. Returns the conversations
 * that they left.
 */
export async function moveWaiting(
  db: Tx,
  ticketIds: readonly number[],
): Promise<{ connection_id: number; conversation_key: string }[]> {
  const { rows } = await sql<{ connection_id: number; conversation_key: string }>`
    with waiting as (
      select m.id, m.connection_id, m.conversation_key, t.connection_id as to_connection, t.conversation_key as to_key
      from tickets t join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
      where t.tenant_id = app.tenant() and t.id = any(${bigints(ticketIds)}) and m.from_me and m.status = 'pending'
        and m.send_at is not null and m.connection_id <> t.connection_id
      for update of m),
    moved as (
      update messages m set connection_id = w.to_connection, conversation_key = w.to_key
      from waiting w where m.tenant_id = app.tenant() and m.id = w.id)
    select distinct connection_id, conversation_key from waiting`.execute(db)
  return rows
}

/** Returns the active tickets of a connection, by id: all, or a page after the first `offset`. */
export async function activeIdsOf(
  db: Queryable,
  connectionId: number,
  page: { readonly offset: number; readonly limit: number } | null,
): Promise<number[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where(isActive)
    .orderBy('id')
    .$if(page !== null, (query) => query.offset(present(page).offset).limit(present(page).limit))
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns ids of the tickets with unread messages: the company's, or one person's. */
export async function unreadIds(db: Queryable, userId: number | null): Promise<number[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('id')
    .where('unread_messages', '>', 0)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks tickets as read. */
export async function clearUnread(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`update tickets set unread_messages = 0 where id = any(${bigints(ids)})`.execute(db)
}

/** Locks tickets whose snooze has ended; returns their ids in order. */
export async function dueIds(db: Tx, now: Date, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where snoozed_until <= ${now} order by id limit ${sql.lit(most)} for update skip locked`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Whether any ticket is snoozed until this moment or earlier. */
export async function isAnySnoozed(db: Queryable, until: Date): Promise<boolean> {
  const row = await db
    .selectFrom('tickets')
    .select('id')
    .where('snoozed_until', '<=', until)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the snooze of tickets: puts them on top of their list as unread, without an acting user. */
export async function wakeTickets(db: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update tickets set snoozed_until = null, unread_messages = greatest(unread_messages, 1), updated_at = ${now}
    where id = any(${bigints(ids)})`.execute(db)
}

/** Memory of an assistant about a ticket, and the handle of the conversation at its service. */
export type AssistantSession = { readonly memory: unknown; readonly handle: string | null }

/** Returns the memory of an assistant about a ticket; null if there is none. */
export async function findSession(
  db: Queryable,
  ticketId: number,
  assistant: string,
): Promise<AssistantSession | null> {
  const row = await db
    .selectFrom('assistant_sessions')
    .select(['memory', 'handle'])
    .where('ticket_id', '=', ticketId)
    .where('assistant', '=', assistant)
    .executeTakeFirst()
  return row ?? null
}

/** Stores an assistant's memory of a ticket. */
export async function saveSession(
  db: Tx,
  { ticketId, assistant, memory, handle, now }: { ticketId: number; assistant: string; now: Date } & AssistantSession,
): Promise<void> {
  const row = { memory: JSON.stringify(memory ?? null), handle, updated_at: now }
  await db
    .insertInto('assistant_sessions')
    .values({ tenant_id: sql<number>`app.tenant()`, ticket_id: ticketId, assistant, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'ticket_id', 'assistant']).doUpdateSet(row))
    .execute()
}

/** Clears assistants' memories of a ticket, or of a connection's tickets; returns the number of conversations. */
export async function clearSessions(
  db: Tx,
  of: { readonly ticketId: number } | { readonly connectionId: number },
): Promise<number> {
  const tickets =
    'ticketId' in of
      ? sql`s.ticket_id = ${of.ticketId}`
      : sql`exists (select from tickets t where t.tenant_id = s.tenant_id and t.id = s.ticket_id and t.connection_id = ${of.connectionId})`
  const { numAffectedRows } = await sql`delete from assistant_sessions s where ${tickets}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Replaces the people named on a group; returns false if one of them does not work here. */
export async function replaceGroupUsers(db: Tx, ticketId: number, userIds: readonly number[]): Promise<boolean> {
  const wanted = bigints([...new Set(userIds)])
  await sql`delete from ticket_group_users where ticket_id = ${ticketId} and user_id <> all(${wanted})`.execute(db)
  await sql`insert into ticket_group_users (tenant_id, ticket_id, user_id)
    select tenant_id, ${ticketId}, id from users where id = any(${wanted}) and is_active order by id
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ticket_group_users where ticket_id = ${ticketId}`.execute(db)
  return firstOf(rows).n === new Set(userIds).size
}
