import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import { stands } from '#features/ledger/server/messages/index.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Kind of list: internal notes, or protocol numbers sent to customers. */
export type Kind = 'note' | 'protocol'

/** Filters of the list; days are of `zone`. */
export type WrittenFilter = {
  /** Condition on `tickets` for what the user may see. */
  readonly visible: RawBuilder<SqlBool>
  readonly search: {
    readonly text: string
    /** Ticket whose id or protocol is the search text. */
    readonly ticketId: number | null
    /** Whether contacts may be found by their names. */
    readonly names: boolean
    /** Ids of messages that contain all results, from `findFew`. */
    readonly few: readonly string[] | null
  } | null
  readonly from: string | undefined
  readonly to: string | undefined
  readonly user: number | undefined
  readonly ticketId: number | undefined
  readonly contactId: number | undefined
  readonly zone: string
}

/** Row of a note or protocol, with names; `position` is its time in microseconds, more exact than a Date. */
export type WrittenRecord = {
  id: string
  seq: number
  ticket_id: number
  ticket_created_at: Date
  body: string
  is_edited: boolean
  user_id: number | null
  user_name: string | null
  contact_name: string
  timestamp: Date
  created_at: Date
  position: number
}

/** SQL filters for the messages of each kind, matching the partial indexes. */
export const KINDS: Readonly<Record<Kind, RawBuilder<SqlBool>>> = {
  note: sql`m.is_note and m.media_type = 'note' and not m.is_deleted`,
  protocol: sql`m.send_type = 'protocol' and ${stands('m')} and not m.is_deleted`,
}

function conditions(kind: Kind, filter: WrittenFilter): RawBuilder<unknown> {
  const { visible, search, from, to, user, ticketId, contactId, zone } = filter
  // `offset 0` forces a look-up of one ticket: the planner would otherwise hash the whole table.
  const all: RawBuilder<unknown>[] = [
    sql`m.tenant_id = app.tenant()`,
    KINDS[kind],
    sql`exists (select from tickets where tickets.tenant_id = m.tenant_id and tickets.id = m.ticket_id and ${visible} offset 0)`,
  ]
  if (from) all.push(sql`m.timestamp >= (${from}::timestamp at time zone ${zone})`)
  if (to) all.push(sql`m.timestamp < ((${to}::date + 1)::timestamp at time zone ${zone})`)
  if (user) all.push(sql`m.user_id = ${user}`)
  if (ticketId) all.push(sql`m.ticket_id = ${ticketId}`)
  if (contactId) all.push(sql`m.ticket_id = any(array(select id from tickets where contact_id = ${contactId}))`)
  if (search?.few) all.push(sql`m.id = any(${search.few}::uuid[])`)
  if (search) {
    const pattern = sql`app.fold(${patternOf(search.text)})`
    const found = [
      ...(kind === 'note' ? [sql`app.fold(m.body) like ${pattern}`] : []),
      ...(search.ticketId === null ? [] : [sql`m.ticket_id = ${search.ticketId}`]),
      ...(search.names
        ? [
            sql`(select c.search_text like ${pattern} from contacts c where c.tenant_id = m.tenant_id and c.id = m.contact_id)`,
          ]
        : []),
    ]
    all.push(found.length > 0 ? sql`(${sql.join(found, sql` or `)})` : sql`false`)
  }
  return sql.join(all, sql` and `)
}

/** Returns a page of notes or protocols in visible tickets, newest first. */
export async function listWritten(
  db: Queryable,
  kind: Kind,
  filter: WrittenFilter,
  { after, offset, limit }: PageStart<[number, number]>,
): Promise<WrittenRecord[]> {
  const behind = after
    ? sql`and (m.timestamp, m.seq) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::bigint)`
    : sql``
  const { rows } = await sql<WrittenRecord>`
    with page as materialized (
      select m.id, m.seq, m.ticket_id, m.contact_id, m.user_id, m.body, m.edition is not null as is_edited, m.timestamp, m.created_at
      from messages m where ${conditions(kind, filter)} ${behind}
      order by m.timestamp desc, m.seq desc limit ${sql.lit(limit)} offset ${sql.lit(offset)})
    select p.*, u.name as user_name, c.name as contact_name, t.created_at as ticket_created_at,
      (extract(epoch from p.timestamp) * 1000000)::bigint as position
    from page p
    join tickets t on t.tenant_id = app.tenant() and t.id = p.ticket_id
    join contacts c on c.tenant_id = app.tenant() and c.id = p.contact_id
    left join users u on u.tenant_id = app.tenant() and u.id = p.user_id
    order by p.timestamp desc, p.seq desc`.execute(db)
  return rows
}

/** Counts notes or protocols, up to `most`. */
export async function countWritten(db: Queryable, kind: Kind, filter: WrittenFilter, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n
    from (select from messages m where ${conditions(kind, filter)} limit ${sql.lit(most)}) counted`.execute(db)
  return firstOf(rows).n
}
