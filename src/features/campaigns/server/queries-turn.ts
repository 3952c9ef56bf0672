import { sql } from 'kysely'
import type { Outcomes } from '#domain/campaigns/care.ts'
import type { NumberState, NumberStateChange } from '#domain/connections/number-state.ts'
import { contactsFor, type OnlyFor } from '#features/contacts/server/index.ts'
import { errorText } from '#kit/errors.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { personOf } from '#server/db/person.ts'
import { type DispatchPlan, planColumns } from './queries.ts'

/** Time of the last dispatch message on a connection, and the random part of the interval to the next one (0 to 1). */
export type Lane = { readonly sentAt: Date | null; readonly jitter: number }

/** Locks and returns the turns of a connection. */
export async function lockLane(db: Tx, connectionId: number): Promise<Lane> {
  await sql`insert into dispatch_lanes (tenant_id, connection_id) values (app.tenant(), ${connectionId})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<Lane>`
    select sent_at as "sentAt", jitter from dispatch_lanes where tenant_id = app.tenant() and connection_id = ${connectionId}
    for update`.execute(db)
  return rows[0]!
}

/** Records that a dispatch message was sent on a connection. */
export async function moveLane(db: Tx, connectionId: number, { sentAt, jitter }: Lane): Promise<void> {
  await db
    .updateTable('dispatch_lanes')
    .set({ sent_at: sentAt, jitter })
    .where('connection_id', '=', connectionId)
    .execute()
}

/** Returns connections whose turn for a dispatch was due before a time; requires platform database access. */
export async function lanesBehind(db: Queryable, until: Date): Promise<{ tenantId: number; connectionId: number }[]> {
  const { rows } = await sql<{ tenantId: number; connectionId: number }>`
    select distinct d.tenant_id as "tenantId", i.connection_id as "connectionId" from dispatches d
    cross join lateral (select distinct o.connection_id from dispatch_items o
      where o.tenant_id = d.tenant_id and o.dispatch_id = d.id and o.state = 'waiting') i
    left join dispatch_lanes l on l.tenant_id = d.tenant_id and l.connection_id = i.connection_id
    where d.status in ('scheduled', 'processing') and d.start_at <= ${until} and (d.waits_until is null or d.waits_until <= ${until})
      and (l.sent_at is null or l.sent_at + make_interval(secs => d.delay - coalesce(d.delay_spread, d.delay * 0.3)) <= ${until})`.execute(
    db,
  )
  return rows
}

/** Returns and locks the dispatches with waiting recipients on a connection, least recently served first. */
export async function lockActive(db: Tx, connectionId: number): Promise<DispatchPlan[]> {
  const { rows } = await sql<DispatchPlan>`
    select ${planColumns} from dispatches d where d.tenant_id = app.tenant() and d.status in ('scheduled', 'processing') and exists (
      select from dispatch_items i where i.tenant_id = d.tenant_id and i.connection_id = ${connectionId}
        and i.dispatch_id = d.id and i.state = 'waiting')
    order by d.id for no key update`.execute(db)
  return rows.toSorted((one, other) => (one.turnedAt?.getTime() ?? 0) - (other.turnedAt?.getTime() ?? 0))
}

/** Returns the changes of a number since a time, newest first. */
export async function changesSince(db: Queryable, connectionId: number, since: Date): Promise<NumberStateChange[]> {
  const rows = await db
    .selectFrom('number_changes')
    .select(['what', 'before', 'after'])
    .where('connection_id', '=', connectionId)
    .where('at', '>', since)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows
}

/** Connection with the data that the engine needs. */
export type KnownConnection = {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly isDeleted: boolean
  readonly firstConnectedAt: Date | null
  readonly numberState: NumberState | null
  /** Whether texts are sent without accents. */
  readonly isPlain: boolean
}

/** Returns a connection with the state of its number. */
export async function findConnection(db: Queryable, connectionId: number): Promise<KnownConnection | undefined> {
  const { rows } = await sql<KnownConnection>`
    select c.id, c.type, c.status, c.is_deleted as "isDeleted", c.first_connected_at as "firstConnectedAt", s.state as "numberState",
      coalesce(c.config -> 'isPlain' = 'true', false) as "isPlain"
    from connections c left join number_states s on s.tenant_id = c.tenant_id and s.connection_id = c.id
    where c.tenant_id = app.tenant() and c.id = ${connectionId}`.execute(db)
  return rows[0]
}

/** Counts unsent dispatch messages of a connection, and those of them that begin conversations. */
export async function countUnsent(db: Queryable, connectionId: number): Promise<{ all: number; first: number }> {
  const { rows } = await sql<{ all: number; first: number }>`
    select count(*)::int as all, count(*) filter (where i.is_first)::int as first from dispatch_items i
    join messages m on m.tenant_id = i.tenant_id and m.id = i.message_id and m.status in ('pending', 'queued')
    where i.tenant_id = app.tenant() and i.connection_id = ${connectionId} and i.state = 'queued'`.execute(db)
  return rows[0]!
}

/** Error codes and texts of a channel for a number that does not exist. */
const UNKNOWN = ['ERR_WAPP_INVALID_CONTACT', errorText('ERR_WAPP_INVALID_CONTACT')]

/** Returns the results of the latest dispatch messages of a connection since a time. */
export async function outcomesOf(
  db: Queryable,
  connectionId: number,
  { since, most }: { since: Date; most: number },
): Promise<Outcomes> {
  const { rows } = await sql<Outcomes>`
    select count(*)::int as sent, count(*) filter (where is_refused)::int as refused,
      count(*) filter (where is_refused and exists (select from message_trail t where t.tenant_id = app.tenant()
        and t.message_id = last_sent.message_id and t.step = 'failed' and t.detail ->> 'reason' = any(${UNKNOWN}::text[])))::int as unknown,
      count(*) filter (where opted_out_at is not null)::int as stops, count(*) filter (where replied_at is not null)::int as replied
    from (select message_id, opted_out_at, replied_at, state = 'failed' and reason = 'ERR_SENDING_WAPP_MSG' as is_refused
      from dispatch_items where tenant_id = app.tenant() and connection_id = ${connectionId}
      and sent_at > ${since} order by sent_at desc limit ${most}) last_sent`.execute(db)
  return rows[0]!
}

/** Waiting recipient, with the facts that decide whether they get a message. */
export type Candidate = {
  readonly id: number
  readonly messageId: string
  readonly contactId: number
  readonly values: Readonly<Record<string, string>> | null
  readonly isGone: boolean
  readonly isGroup: boolean
  readonly isBlocked: boolean
  readonly isReachable: boolean | null
  readonly recent: number
  readonly isInConversation: boolean
  readonly isFirst: boolean
}

/** SQL columns with the facts of recipients in table `i`: those of the contact, or of the person that it was merged into. */
const facts = (since: Date) => sql`
  p.id is null as "isGone", coalesce(p.is_group, false) as "isGroup", coalesce(p.blocked, false) as "isBlocked",
  p.is_wa_contact as "isReachable",
  (select count(distinct o.dispatch_id)::int from dispatch_items o where o.tenant_id = app.tenant() and o.contact_id = i.contact_id
    and o.dispatch_id <> i.dispatch_id and o.sent_at > ${since}) as recent,
  exists (select from tickets t where t.tenant_id = app.tenant() and t.contact_id = p.id and t.status <> 'closed') as "isInConversation",
  not exists (select from tickets t join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
    where t.tenant_id = app.tenant() and t.contact_id = p.id and t.connection_id = i.connection_id
      and not m.is_note and (not m.from_me or m.provider_id is not null)) as "isFirst"`

// By key, whatever the planner knows about the number of contacts.
const person = sql`
  left join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
  left join lateral (select * from contacts o where o.tenant_id = app.tenant() and o.id = ${personOf('c')} offset 0) p on true`

/** Returns and locks the next recipients of a dispatch on a connection, in order. */
export async function nextCandidates(
  db: Tx,
  { dispatchId, connectionId }: { dispatchId: number; connectionId: number },
  { since, most }: { since: Date; most: number },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select i.id, i.message_id as "messageId", i.contact_id as "contactId", i.own_values as values, ${facts(since)}
    from (select * from dispatch_items w where w.tenant_id = app.tenant() and w.connection_id = ${connectionId}
      and w.dispatch_id = ${dispatchId} and w.state = 'waiting' order by w.id limit ${most} for update) i ${person}
    order by i.id`.execute(db)
  return rows
}

/** Facts that several recipients share, with their number. */
export type Counted = Omit<Candidate, 'id' | 'messageId' | 'contactId' | 'values'> & {
  readonly isRevoked: boolean
  readonly isUnasked: boolean
  readonly count: number
  /** Ids of their items, if requested. */
  readonly ids: readonly number[] | null
}

/** Counts waiting recipients of a dispatch between two items by the facts that decide whether they get a message. */
export async function countCandidates(
  db: Queryable,
  dispatchId: number,
  asked: {
    readonly since: Date
    readonly revoked: ReadonlySet<number>
    readonly unasked: ReadonlySet<number>
    readonly withIds: boolean
    readonly after: number
    readonly last: number
  },
): Promise<Counted[]> {
  const { since, revoked, unasked, withIds, after, last } = asked
  const { rows } = await sql<Counted>`
    select "isRevoked", "isUnasked", "isGone", "isGroup", "isBlocked", "isReachable", recent, "isInConversation", "isFirst",
      count(*)::int as count, case when ${withIds} then json_agg(id) end as ids
    from (
      select i.id, i.contact_id = any(${[...revoked]}::bigint[]) as "isRevoked",
        i.contact_id = any(${[...unasked]}::bigint[]) as "isUnasked", ${facts(since)}
      from dispatch_items i ${person} where i.tenant_id = app.tenant() and i.dispatch_id = ${dispatchId} and i.state = 'waiting'
        and i.id > ${after} and i.id <= ${last}) known
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`.execute(db)
  return rows
}

/** Returns those of the contacts who came from an imported list without a declared source. */
export async function withoutSource(db: Queryable, contactIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from contacts c
    cross join lateral (select needs_source from contacts p where p.tenant_id = app.tenant() and p.id = ${personOf('c')} offset 0) p
    where c.tenant_id = app.tenant() and c.id = any(${[...contactIds]}::bigint[]) and p.needs_source`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns a page of the contacts of waiting recipients, after an item, in order. */
export async function waitingContacts(
  db: Queryable,
  dispatchId: number,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<{ id: number; contactId: number }[]> {
  const { rows } = await sql<{ id: number; contactId: number }>`
    select id, contact_id as "contactId" from dispatch_items
    where tenant_id = app.tenant() and dispatch_id = ${dispatchId} and state = 'waiting' and id > ${after}
    order by id limit ${most}`.execute(db)
  return rows
}

/** Counts waiting recipients of a dispatch with an empty variable, by its name. */
export async function countEmpty(db: Queryable, dispatchId: number): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select count(*) filter (where c.name = '')::int as name, count(*) filter (where c.name = '' and c.first_name = '')::int as "firstName",
      count(*) filter (where c.last_name = '' and c.name not like '% %')::int as "lastName",
      count(*) filter (where c.business_name = '')::int as "businessName", count(*) filter (where c.email = '')::int as email,
      count(*) filter (where c.number is null)::int as "phoneNumber", count(*) filter (where c.kanban is null)::int as kanban
    from dispatch_items i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
    where i.tenant_id = app.tenant() and i.dispatch_id = ${dispatchId} and i.state = 'waiting'`.execute(db)
  return rows[0]!
}

/** Whether the provider charges a template of a connection as marketing. */
export async function isMarketing(
  db: Queryable,
  connectionId: number,
  { name, language }: { readonly name: string; readonly language: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('message_templates')
    .select('category')
    .where('connection_id', '=', connectionId)
    .where('name', '=', name)
    .where('language', '=', language)
    .executeTakeFirst()
  return row?.category === 'MARKETING'
}

/** Returns whether the queue and the tag of a dispatch exist. */
export async function findNamed(
  db: Queryable,
  { replyQueueId, replyTagId }: { replyQueueId: number | null; replyTagId: number | null },
): Promise<{ queue: boolean; tag: boolean }> {
  const { rows } = await sql<{ queue: boolean; tag: boolean }>`select
    exists (select from queues where tenant_id = app.tenant() and id = ${replyQueueId}) as queue,
    exists (select from tags where tenant_id = app.tenant() and id = ${replyTagId}) as tag`.execute(db)
  return rows[0]!
}

/** Columns of a text's variables: of `contacts`, and of the stage as `s`. */
const SUBJECT = [
  ...(['contacts.name', 'contacts.first_name as firstName', 'contacts.last_name as lastName'] as const),
  ...(['contacts.business_name as businessName', 'contacts.email', 'contacts.number as phoneNumber'] as const),
  's.name as kanban',
] as const

/** Returns the values of a contact for a text's variables. */
export const findSubject = async (db: Queryable, contactId: number, only: OnlyFor) =>
  contactsFor(db, only)
    .leftJoin('stages as s', (join) =>
      join.onRef('s.tenant_id', '=', 'contacts.tenant_id').onRef('s.id', '=', 'contacts.kanban'),
    )
    .select(SUBJECT)
    .where('contacts.id', '=', contactId)
    .executeTakeFirst()

/** Returns recipients of a dispatch, each with message id, own values, and the values for the text's variables. */
export const itemSubjects = async (db: Queryable, dispatchId: number, ids: readonly number[]) =>
  db
    .selectFrom('dispatch_items as i')
    .innerJoin('contacts', (join) =>
      join.onRef('contacts.tenant_id', '=', 'i.tenant_id').onRef('contacts.id', '=', 'i.contact_id'),
    )
    .leftJoin('stages as s', (join) =>
      join.onRef('s.tenant_id', '=', 'contacts.tenant_id').onRef('s.id', '=', 'contacts.kanban'),
    )
    .select(['i.id', 'i.contact_id as contactId', 'i.message_id as messageId'])
    .select(sql<Readonly<Record<string, string>> | null>`i.own_values`.as('values'))
    .select(SUBJECT)
    .where('i.tenant_id', '=', sql<number>`app.tenant()`)
    .where('i.dispatch_id', '=', dispatchId)
    .where(sql<boolean>`i.id = any(${[...ids]}::bigint[])`)
    .execute()

/** Returns the open and pending tickets of messages, without groups. */
export async function ticketsOpenFor(db: Queryable, messageIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct t.id from messages m join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
    where m.tenant_id = app.tenant() and m.id = any(${[...messageIds]}::uuid[]) and t.status <> 'closed'
      and not t.is_group order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}
