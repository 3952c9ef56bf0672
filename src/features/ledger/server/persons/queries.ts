import { sql } from 'kysely'
import { firstOf, present } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { insertTicket, updateTicket } from '../changes/queries-change.ts'
import type { TicketFields } from '../sets/queries-bulk.ts'
import { type LedgerTicket, ledgerColumns } from '../ticket/queries.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Waits until no incoming event of the company is being processed, and blocks processing until the end of the transaction. */
export const lockIngest = (db: Tx, tenantId: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(7204, ${tenantId}::int)`.execute(db)

/**
 * Forces custom query plans in this transaction: a session keeps plans made for small tables, with which thousands of
 * tickets of one person take seconds.
 */
export const planAfresh = (db: Tx): Promise<unknown> =>
  sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(db)

/** Returns and locks the live tickets of contacts, oldest first, without groups. */
export async function lockLive(db: Tx, contactIds: readonly number[]): Promise<LedgerTicket[]> {
  const { rows } = await sql<LedgerTicket>`
    select ${ledgerColumns()} from tickets t
    where t.contact_id = any(${bigints(contactIds)}) and t.status in ('open', 'pending') and not t.is_group
    order by t.id for update of t`.execute(db)
  return rows
}

/** Returns the connections on which two persons both have a live ticket: the older one would continue, the other be closed. */
export async function pairsOf(
  db: Queryable,
  person: number,
  other: number,
): Promise<{ connection: string; intoId: number; closedId: number }[]> {
  const { rows } = await sql<{ connection: string; intoId: number; closedId: number }>`
    select c.name as connection, least(a.id, b.id) as "intoId", greatest(a.id, b.id) as "closedId"
    from tickets a join tickets b on b.tenant_id = a.tenant_id and b.connection_id = a.connection_id
    join connections c on c.tenant_id = a.tenant_id and c.id = a.connection_id
    where a.contact_id = ${person} and b.contact_id = ${other} and a.status in ('open', 'pending')
      and b.status in ('open', 'pending') order by a.id`.execute(db)
  return rows
}

/** Returns a page of the closed tickets of contacts, after an id. */
export async function closedOf(
  db: Queryable,
  contactIds: readonly number[],
  after: number,
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where contact_id = any(${bigints(contactIds)}) and id > ${after} and status = 'closed'
    order by id limit ${sql.lit(most)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Merges state and unread counts of a closed ticket into an older one of the same person; returns the older one. */
export async function takeOver(db: Tx, older: LedgerTicket, other: LedgerTicket, now: Date): Promise<LedgerTicket> {
  const newer = other.last_message_at > older.last_message_at ? other : older
  const wroteLast =
    (other.last_message_received_at?.getTime() ?? 0) > (older.last_message_received_at?.getTime() ?? 0) ? other : older
  const attended = older.status === 'pending' && other.status === 'open' ? other : older
  const waiting = [older.waiting_since, other.waiting_since].filter((at) => at !== null)
  const after: LedgerTicket = {
    ...older,
    status: attended.status,
    user_id: attended.user_id,
    queue_id: attended.queue_id ?? older.queue_id,
    conversation_key: wroteLast.conversation_key,
    unread_messages: older.unread_messages + other.unread_messages,
    answered: older.answered && other.answered,
    last_message: newer.last_message,
    last_message_from_me: newer.last_message_from_me,
    last_message_status: newer.last_message_status,
    last_message_sender: newer.last_message_sender,
    last_message_at: newer.last_message_at,
    last_message_received_at: wroteLast.last_message_received_at,
    waiting_since: waiting.length > 0 ? new Date(Math.min(...waiting.map((at) => at.getTime()))) : null,
    snoozed_until: older.snoozed_until && other.snoozed_until ? older.snoozed_until : null,
    chat_flow_id: attended === older ? older.chat_flow_id : null,
  }
  await sql`update tickets k set status = ${after.status}, user_id = ${after.user_id}, queue_id = ${after.queue_id},
      conversation_key = ${after.conversation_key}, unread_messages = ${after.unread_messages}, answered = ${after.answered},
      last_message = ${after.last_message}, last_message_from_me = ${after.last_message_from_me},
      last_message_status = ${after.last_message_status}, last_message_sender = ${after.last_message_sender},
      last_message_at = o.last_message_at, last_message_received_at = w.last_message_received_at,
      waiting_since = least(k.waiting_since, ${other.waiting_since}::timestamptz), snoozed_until = ${after.snoozed_until},
      chat_flow_id = ${after.chat_flow_id},
      started_attendance_at = case when k.status = 'pending' and ${after.status} = 'open' then ${now} else k.started_attendance_at end,
      updated_at = ${now}, revision = k.revision + 1, changed_at = ${now}
    from tickets o, tickets w where k.tenant_id = app.tenant() and k.id = ${older.id}
      and o.tenant_id = k.tenant_id and o.id = ${newer.id} and w.tenant_id = k.tenant_id and w.id = ${wroteLast.id}`.execute(
    db,
  )
  return after
}

/** Images of two tickets before or after they were merged, as `ticketImages` returns them. */
export type TicketPair = {
  readonly ticketId: number
  readonly intoId: number
  readonly before: TicketFields
  readonly intoBefore: TicketFields
  readonly intoAfter: TicketFields
}

/** Records that tickets were merged into others, and moves their waiting messages. */
export async function savePairs(db: Tx, pairs: readonly TicketPair[], now: Date): Promise<void> {
  await sql`insert into ticket_merges (tenant_id, ticket_id, into_id, before, into_before, into_after, created_at)
    select app.tenant(), p."ticketId", p."intoId", p.before, p."intoBefore", p."intoAfter", ${now}
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p ("ticketId" bigint, "intoId" bigint, before jsonb, "intoBefore" jsonb, "intoAfter" jsonb)`.execute(
    db,
  )
  const ids = bigints(pairs.map(({ ticketId }) => ticketId))
  await sql`update tickets set closed_reason = 'merged' where id = any(${ids})`.execute(db)
  await sql`update messages m set ticket_id = p.into_id from ticket_merges p
    where p.tenant_id = app.tenant() and p.ticket_id = any(${ids}) and m.tenant_id = p.tenant_id and m.ticket_id = p.ticket_id
      and m.from_me and m.status = 'pending' and m.send_at is not null`.execute(db)
}

/** Assigns locked tickets to their contacts' present persons; returns the changed ones. */
export async function assignTickets(db: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with held as materialized (
      select t.id, coalesce(t.origin_contact_id, t.contact_id) as origin from tickets t
      where t.id = any(${bigints(ids)}) order by t.id for update),
    owned as (select h.id, h.origin, coalesce(o.merged_into, o.id) as person
      from held h join contacts o on o.tenant_id = app.tenant() and o.id = h.origin)
    update tickets t set contact_id = w.person, origin_contact_id = nullif(w.origin, w.person) from owned w
    where t.tenant_id = app.tenant() and t.id = w.id and (t.contact_id <> w.person or t.origin_contact_id = w.person)
    returning t.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Messages in a ticket of one person that were exchanged at an address of another. */
export type Stray = {
  readonly ticketId: number
  readonly person: number
  readonly keys: string[]
  readonly last: string
}

/**
 * Returns the stray messages of tickets, one row per ticket and other person (among `among`); without notes, which have no
 * address.
 */
export async function strayMessages(db: Queryable, ids: readonly number[], among: readonly number[]): Promise<Stray[]> {
  const { rows } = await sql<Stray>`
    with written as materialized (
      select m.ticket_id, m.connection_id, m.conversation_key, max(m.seq) as seq from messages m
      where m.tenant_id = app.tenant() and m.ticket_id = any(${bigints(ids)}) and not m.is_note group by 1, 2, 3)
    select w.ticket_id as "ticketId", coalesce(l.merged_into, l.id) as person, array_agg(distinct w.conversation_key) as keys,
      (array_agg(w.conversation_key order by w.seq desc))[1] as last
    from written w
    join tickets t on t.tenant_id = app.tenant() and t.id = w.ticket_id
    join connections k on k.tenant_id = t.tenant_id and k.id = w.connection_id
    join contact_identities i on i.tenant_id = k.tenant_id and i.channel = k.type and i.identity = w.conversation_key
    join contacts l on l.tenant_id = i.tenant_id and l.id = i.contact_id
    where not t.is_group and i.contact_id = any(${bigints(among)}) and coalesce(l.merged_into, l.id) <> t.contact_id
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** Resets live tickets that would reply to another person's address, to the latest address of their own person. */
export async function takeBackAddresses(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    update tickets t set conversation_key = own.address from (
      select t.id, coalesce(
        (select m.conversation_key from messages m join contact_identities i on i.tenant_id = m.tenant_id and i.channel = t.channel
            and i.identity = m.conversation_key join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
          where m.tenant_id = t.tenant_id and m.ticket_id = t.id and coalesce(c.merged_into, c.id) = t.contact_id
          order by m.timestamp desc, m.seq desc limit 1),
        (select i.identity from contact_identities i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
          where i.tenant_id = t.tenant_id and i.channel = t.channel and coalesce(c.merged_into, c.id) = t.contact_id
          order by i.created_at desc limit 1)) as address
      from tickets t
      join contact_identities i on i.tenant_id = t.tenant_id and i.channel = t.channel and i.identity = t.conversation_key
      join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
      where t.id = any(${bigints(ids)}) and not t.is_group and coalesce(c.merged_into, c.id) <> t.contact_id) own
    where t.tenant_id = app.tenant() and t.id = own.id and own.address is not null`.execute(db)
}

/** Returns all tickets that are linked to these by merges, these included if they were merged. */
export async function linkedTickets(db: Queryable, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with ${linkedTo(ids)} select l.id from linked l where exists (select from ticket_merges p
      where p.tenant_id = app.tenant() and (p.ticket_id = l.id or p.into_id = l.id))`.execute(db)
  return rows.map(({ id }) => id)
}

// Tickets continued in one another, from any one of them.
const linkedTo = (ids: readonly number[]) => sql`recursive linked (id) as (
  select unnest(${bigints(ids)}) union select case when p.ticket_id = l.id then p.into_id else p.ticket_id end
  from linked l join ticket_merges p on p.tenant_id = app.tenant() and (p.ticket_id = l.id or p.into_id = l.id))`

/** Returns the ticket for a person's own part of a ticket: one that continued in it, or the live one beside it. */
export async function counterpartOf(db: Queryable, ticketId: number, person: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with ${linkedTo([ticketId])}
    (select c.id from linked l join ticket_merges p on p.tenant_id = app.tenant() and p.ticket_id = l.id
      join tickets c on c.tenant_id = p.tenant_id and c.id = p.ticket_id
      join contacts o on o.tenant_id = c.tenant_id and o.id = case when c.origin_contact_id is null then c.contact_id else c.origin_contact_id end
      where coalesce(o.merged_into, o.id) = ${person} order by c.id limit 1)
    union all
    (select o.id from tickets t join tickets o on o.tenant_id = t.tenant_id and o.connection_id = t.connection_id
      where t.id = ${ticketId} and t.status in ('open', 'pending') and o.contact_id = ${person}
        and o.status in ('open', 'pending') and not o.is_group limit 1)
    limit 1`.execute(db)
  return rows[0]?.id
}

/** Creates a copy of a ticket in the same state for another person, which continues at an address. */
export async function splitOff(db: Tx, ticketId: number, person: number, address: string): Promise<number> {
  const like = await db
    .selectFrom('tickets')
    .select(['status', 'user_id', 'queue_id', 'connection_id', 'channel', 'is_active_demand', 'started_attendance_at'])
    .select(['created_at', 'updated_at', 'closed_at'])
    .where('id', '=', ticketId)
    .executeTakeFirstOrThrow()
  const { created_at: now, updated_at, closed_at, ...row } = like
  const given = { contact_id: person, conversation_key: address, is_group: false }
  const id = present(await insertTicket(db, { ...row, ...given, status: row.status, now }))
  await updateTicket(db, id, { updated_at, closed_at })
  return id
}

/** Moves messages of some addresses into another ticket, with the records that refer to them. */
export async function moveMessages(db: Tx, { ticketId, person, keys }: Stray, to: number): Promise<void> {
  const moved = sql`m.tenant_id = app.tenant() and m.ticket_id = ${ticketId} and not m.is_note and m.conversation_key = any(${keys}::text[])`
  await sql`update pinned_messages p set ticket_id = ${to} from messages m
    where ${moved} and p.tenant_id = m.tenant_id and p.message_id = m.id`.execute(db)
  await sql`update messages m set ticket_id = ${to}, contact_id = ${person} where ${moved}`.execute(db)
}

/** Assigns the other messages of tickets to the tickets' person. */
export async function claimMessages(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`update messages m set contact_id = t.contact_id from tickets t, contacts c
    where t.tenant_id = app.tenant() and t.id = any(${bigints(ids)}) and m.tenant_id = t.tenant_id and m.ticket_id = t.id
      and c.tenant_id = m.tenant_id and c.id = m.contact_id and coalesce(c.merged_into, c.id) <> t.contact_id`.execute(
    db,
  )
}

/** Merged tickets whose contacts are no longer the same person; `isLive`: the final ticket is not closed. */
export type PartedPair = TicketPair & {
  readonly person: number
  readonly connectionId: number
  readonly finalId: number
  readonly isLive: boolean
  readonly isFree: boolean
}

/** Returns the parted pairs among tickets; `isFree`: the person has no other live ticket on the connection. */
export async function partedPairs(db: Queryable, ids: readonly number[]): Promise<PartedPair[]> {
  const { rows } = await sql<PartedPair>`
    with recursive chain (ticket_id, final_id) as (
      select p.ticket_id, p.into_id from ticket_merges p where p.tenant_id = app.tenant()
        and (p.ticket_id = any(${bigints(ids)}) or p.into_id = any(${bigints(ids)}))
      union select c.ticket_id, p.into_id from chain c join ticket_merges p on p.tenant_id = app.tenant() and p.ticket_id = c.final_id)
    select p.ticket_id as "ticketId", p.into_id as "intoId", p.before, p.into_before as "intoBefore", p.into_after as "intoAfter",
      t.contact_id as person, t.connection_id as "connectionId", f.id as "finalId", f.status <> 'closed' as "isLive", not exists (select from tickets o
        where o.tenant_id = t.tenant_id and o.connection_id = t.connection_id and o.contact_id = t.contact_id
          and o.status in ('open', 'pending')) as "isFree"
    from chain c join ticket_merges p on p.tenant_id = app.tenant() and p.ticket_id = c.ticket_id
    join tickets t on t.tenant_id = p.tenant_id and t.id = p.ticket_id
    join tickets f on f.tenant_id = p.tenant_id and f.id = c.final_id
    where not exists (select from ticket_merges n where n.tenant_id = f.tenant_id and n.ticket_id = f.id)
      and t.contact_id <> f.contact_id
    order by p.created_at, p.ticket_id`.execute(db)
  return rows
}

/** Changes the ticket that a ticket was merged into. */
export async function changePair(
  db: Tx,
  { ticketId, intoId, intoBefore, intoAfter }: Omit<TicketPair, 'before'>,
): Promise<void> {
  await sql`update ticket_merges set into_id = ${intoId}, into_before = ${JSON.stringify(intoBefore)}::jsonb,
    into_after = ${JSON.stringify(intoAfter)}::jsonb where ticket_id = ${ticketId}`.execute(db)
}

/** Removes the record that a ticket was merged. */
export async function forgetPair(db: Tx, ticketId: number): Promise<void> {
  await sql`delete from ticket_merges where ticket_id = ${ticketId}`.execute(db)
  await sql`update tickets set closed_reason = null where id = ${ticketId} and closed_reason = 'merged'`.execute(db)
}

/** Returns the ids of those of user and queue that exist. */
export async function whoIsThere(
  db: Queryable,
  { userId, queueId }: { userId: number | null; queueId: number | null },
): Promise<{ user: number | null; queue: number | null }> {
  const { rows } = await sql<{ user: number | null; queue: number | null }>`
    select (select id from users where id = ${userId} and is_active) as "user", (select id from queues where id = ${queueId}) as queue`.execute(
    db,
  )
  return firstOf(rows)
}

/** Returns those of the tickets that have unread messages. */
export async function unreadAmong(db: Queryable, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where id = any(${bigints(ids)}) and unread_messages > 0`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Recounts unread messages of live tickets: 0 if nothing was unread, else the customer's messages since the last answer. */
export async function recountUnread(db: Tx, ids: readonly number[], hadUnread: boolean): Promise<void> {
  await sql`update tickets t set unread_messages = case when ${hadUnread} then (select count(*) from messages m
      where m.tenant_id = t.tenant_id and m.ticket_id = t.id and not m.from_me and not m.is_note and m.sync_time is null
        and m.seq > coalesce((select max(a.seq) from messages a where a.tenant_id = t.tenant_id and a.ticket_id = t.id
          and a.from_me and not a.is_note and a.send_at is null), 0)) else 0 end
    where t.tenant_id = app.tenant() and t.id = any(${bigints(ids)}) and t.status in ('open', 'pending')`.execute(db)
}
