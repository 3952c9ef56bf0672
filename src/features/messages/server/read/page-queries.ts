import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import {
  ascending,
  type MessageRecord,
  type PageRow,
  pageColumns,
  pageStatement,
  recordsOf,
  stands,
} from '#features/ledger/server/messages/index.ts'
import type { Queryable } from '#server/db/db.ts'
import { madeOnce, type Statement, statementOf } from '#server/db/statements.ts'

/** Position in a conversation: time (epoch ms with fractions) and sequence number. */
export type MessageCursor = { timestamp: string; seq: number }

const COUNTED = 1001
/** Maximum number of unread messages counted back. */
const FURTHEST_UNREAD = 500

// Runs in the statement of the page: opening a conversation is one round trip.
const counted = (ticketId: number) => sql<number>`(select count(*)::int
  from (select from messages where tenant_id = app.tenant() and ticket_id = ${ticketId} limit ${sql.lit(COUNTED)}) listed)`

// Time and number of the last message that a user has read; for a first-time reader the position before the first
// unread one.
const readUpTo = (ticketId: number, userId: number) => sql<[number, number] | null>`coalesce(
  (select array[floor(extract(epoch from p.message_at) * 1000)::bigint, p.message_seq] from reading_positions p
    where p.tenant_id = app.tenant() and p.user_id = ${userId} and p.ticket_id = ${ticketId}),
  (select array[floor(extract(epoch from a.timestamp) * 1000)::bigint, 0] from tickets t, lateral (
      select one.timestamp from messages one
      where one.tenant_id = app.tenant() and one.ticket_id = t.id and not one.from_me and one.sync_time is null
      order by one.timestamp desc, one.seq desc offset least(t.unread_messages, ${sql.lit(FURTHEST_UNREAD)}) - 1 limit 1) a
    where t.tenant_id = app.tenant() and t.id = ${ticketId} and t.unread_messages > 0))`

/** Facts of the conversation that accompany a page of its messages. */
type Around = { total: number; read_up_to: [number, number] | null }

/** Scope of a ticket's stream: no earlier tickets, those of its channel, those of its queue, or all. */
export type StreamScope = 'ticket' | 'channel' | 'queue' | 'contact'

const sameAs: Readonly<Record<Exclude<StreamScope, 'ticket'>, RawBuilder<SqlBool>>> = {
  channel: sql.raw('tickets.connection_id = (select connection_id from own)'),
  queue: sql.raw('tickets.queue_id is not distinct from (select queue_id from own)'),
  contact: sql.raw('true'),
}

// Ids of a contact and of those merged with it; messages keep the id under which they were stored.
const personOf = (contactId: RawBuilder<unknown>) => sql`root as materialized (
    select p.id, p.name from contacts p where p.tenant_id = app.tenant() and p.id = (
      select coalesce(merged_into, id) from contacts where tenant_id = app.tenant() and id = ${contactId})),
  person as materialized (select id, name from root union all select c.id, (select name from root) from contacts c
    where c.tenant_id = app.tenant() and c.merged_into = (select id from root))`

// SQL query of a ticket's message stream, with its lookups. Scans the contact's messages: with a list of tickets the
// planner would read ticket by ticket and sort.
function streamOf(ticketId: number, scope: StreamScope, visible: RawBuilder<SqlBool>) {
  if (scope === 'ticket')
    return {
      isIn: sql`ticket_id = ${ticketId} and exists (select from tickets where tickets.id = ${ticketId} and ${visible})`,
    }
  return {
    person: sql`own as materialized (select contact_id, connection_id, queue_id from tickets
        where tickets.tenant_id = app.tenant() and tickets.id = ${ticketId}),
      ${ownPerson},
      stream as materialized (select tickets.id from tickets
        where tickets.tenant_id = app.tenant() and tickets.contact_id = any(array(select id from person))
          and (tickets.id = ${ticketId} or ${sameAs[scope]}) and ${visible})`,
    isSeen: sql<SqlBool>`${ticketId} = any(array(select id from stream))`,
    isIn: inStream,
  }
}
const ownPerson = personOf(sql.raw('(select contact_id from own)'))
const inStream = sql.raw('contact_id = person.id and array[ticket_id] <@ array(select id from stream)')

/**
 * Returns up to `limit` messages of a ticket's stream before or after a cursor (else from the newest, skipping `offset`), in
 * order of time, each with the ticket's `total` (at most 1001) and the reader's position. Empty if the ticket does not
 * satisfy `visible`; other tickets' messages only if they do.
 */
export async function pageOfMessages(
  db: Queryable,
  ticketId: number,
  input: {
    visible: RawBuilder<SqlBool>
    scope?: StreamScope
    readerId: number
    direction: 'older' | 'newer'
    from: MessageCursor | null
    offset?: number
    limit: number
    inclusive?: boolean
  },
): Promise<(MessageRecord & { around: Around })[]> {
  const { visible, scope = 'ticket', readerId, direction, from, offset = 0, limit, inclusive = false } = input
  const shape = `${scope} ${direction} ${from !== null} ${offset} ${limit} ${inclusive}`
  const page = pages(visible, shape, () =>
    statementOf(db, ['ticketId', 'readerId', 'timestamp', 'seq'], (values) =>
      pageOf({ visible, scope, direction, isFrom: from !== null, offset, limit, inclusive, ...values }),
    ),
  )
  return recordsOf(await page(db, { ticketId, readerId, timestamp: from?.timestamp ?? null, seq: from?.seq ?? null }))
}

type PageValues = { ticketId: number; readerId: number; timestamp: string | null; seq: number | null }

// One prepared statement per reader, as long as their visibility stays the same.
const pages = madeOnce<Statement<PageValues, PageRow<Around>>>()

function pageOf(
  input: PageValues & {
    visible: RawBuilder<SqlBool>
    scope: StreamScope
    direction: 'older' | 'newer'
    isFrom: boolean
    offset: number
    limit: number
    inclusive: boolean
  },
): RawBuilder<PageRow<Around>> {
  const { ticketId, readerId, scope, direction, limit, offset } = input
  const { person, isSeen, isIn } = streamOf(ticketId, scope, input.visible)
  const compare = sql.raw(`${direction === 'older' ? '<' : '>'}${input.inclusive ? '=' : ''}`)
  const order = sql.raw(direction === 'older' ? 'desc' : 'asc')
  const where = input.isFrom
    ? sql`and (timestamp, seq) ${compare} (${input.timestamp}::timestamptz, ${input.seq})`
    : sql``
  const page = (
    most: number,
  ) => sql`select ${pageColumns} from messages where tenant_id = app.tenant() and ${isIn} and ${stands('messages')} ${where}
      order by timestamp ${order}, seq ${order} limit ${sql.lit(most)}`
  return pageStatement<Around>(
    person
      ? eachOfPerson(page(limit + offset), { order, limit, offset }, isSeen)
      : sql`${page(limit)} offset ${sql.lit(offset)}`,
    ascending,
    { person, around: sql`select ${counted(ticketId)} as total, ${readUpTo(ticketId, readerId)} as read_up_to` },
  )
}

// Reads a page from each contact of the person along its index, then the page from those.
const eachOfPerson = (
  page: RawBuilder<unknown>,
  { order, limit, offset }: { order: RawBuilder<unknown>; limit: number; offset: number },
  isSeen: RawBuilder<SqlBool> = sql.raw('true'),
) => sql`select one.* from person cross join lateral (${page}) one where ${isSeen}
  order by one.timestamp ${order}, one.seq ${order} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`

/** Returns a page of a contact's messages, newest first, from tickets that satisfy `visible`. */
export async function pageOfContact(
  db: Queryable,
  contactId: number,
  input: { visible: RawBuilder<SqlBool>; from: MessageCursor | null; offset: number; limit: number },
): Promise<MessageRecord[]> {
  const { visible, from, offset, limit } = input
  const where = from ? sql`and (timestamp, seq) < (${from.timestamp}::timestamptz, ${from.seq})` : sql``
  const person = sql`${personOf(sql`${contactId}`)},
    stream as materialized (select tickets.id from tickets
      where tickets.tenant_id = app.tenant() and tickets.contact_id = any(array(select id from person)) and ${visible})`
  const page = sql`select ${pageColumns} from messages where tenant_id = app.tenant() and ${inStream} and ${stands('messages')} ${where}
    order by timestamp desc, seq desc limit ${sql.lit(limit + offset)}`
  const statement = pageStatement(eachOfPerson(page, { order: sql`desc`, limit, offset }), ascending, { person })
  return recordsOf((await statement.execute(db)).rows)
}

/** Checks that the contact exists. */
export const hasContact = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.selectFrom('contacts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Counts the messages of a ticket, up to 1001. */
export async function countMessages(db: Queryable, ticketId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select ${counted(ticketId)} as n`.execute(db)
  return firstOf(rows).n
}
