import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import { lookUp } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { byKey, groupedBy, lookupsOf, readLookups } from '#server/db/lookups.ts'
import { conversationReceivedAt } from './queries-window.ts'

/** Query of whole rows of `tickets`: the page that lookups are joined to. */
export type TicketPage = SelectQueryBuilder<DB, 'tickets', Selectable<DB['tickets']>>

const ids = (from: string, member: string, key: string, own: string) =>
  sql<number[]>`array(select m.${sql.ref(member)} from ${sql.table(from)} m
    where m.tenant_id = ${sql.ref('tickets.tenant_id')} and m.${sql.ref(key)} = ${sql.ref(`tickets.${own}`)})`

// Whether assistants answer that end when a person attends; the connection is looked up only if one answers.
const assistantsEnd = sql<boolean>`case when jsonb_path_exists(tickets.assistants, '$.* ? (@ == true)')
  then (select c.disable_external_integration from connections c
    where c.tenant_id = tickets.tenant_id and c.id = tickets.connection_id) else false end`

// Data for visibility and moves besides a ticket's own columns (tags, wallets, people named on a group).
const ticketsWithFacts = (db: Queryable) =>
  db
    .selectFrom('tickets')
    .selectAll('tickets')
    .select([
      ids('ticket_tags', 'tag_id', 'ticket_id', 'id').as('tag_ids'),
      ids('contact_wallets', 'user_id', 'contact_id', 'contact_id').as('wallet_ids'),
      ids('ticket_group_users', 'user_id', 'ticket_id', 'id').as('group_user_ids'),
      assistantsEnd.as('assistants_until_attended'),
      conversationReceivedAt('tickets').as('conversation_received_at'),
    ])

/** Ticket as read by `ticketsWithFacts`. */
export type TicketRecord = Awaited<ReturnType<typeof findTicket>> & {}

/** Returns one ticket, without a check of visibility. */
export const findTicket = (db: Queryable, id: number) =>
  ticketsWithFacts(db).where('tickets.id', '=', id).executeTakeFirst()

/** Returns and locks one ticket. */
export const findTicketForUpdate = (db: Tx, id: number) =>
  ticketsWithFacts(db).where('tickets.id', '=', id).forUpdate('tickets').executeTakeFirst()

/** Returns tickets, without a check of visibility. */
export const findTicketsOf = (db: Queryable, ids: readonly number[]) =>
  ticketsWithFacts(db)
    .where(sql<SqlBool>`tickets.id = any(${[...ids]}::bigint[])`)
    .orderBy('tickets.id')
    .execute()

/** Returns and locks tickets, in order of id. */
export const findTicketsForUpdate = (db: Tx, ids: readonly number[]) =>
  ticketsWithFacts(db)
    .where(sql<SqlBool>`tickets.id = any(${[...ids]}::bigint[])`)
    .orderBy('tickets.id')
    .forUpdate('tickets')
    .execute()

const COLUMNS = [
  ...(['tenant_id', 'id', 'status', 'user_id', 'queue_id', 'is_group', 'unread_messages', 'answered'] as const),
  ...(['last_message', 'last_message_at', 'last_message_from_me', 'last_message_status', 'waiting_since'] as const),
  'last_message_sender',
  ...(['sla_state', 'sla_clock', 'sla_since', 'sla_due_at'] as const),
  ...(['last_message_received_at', 'updated_at', 'snoozed_until', 'connection_id', 'contact_id', 'kanban'] as const),
  ...(['chat_flow_id', 'channel', 'assistants', 'created_at', 'closed_at', 'paused_at'] as const),
] as const
type Columns = Pick<Selectable<DB['tickets']>, (typeof COLUMNS)[number]> & { conversation_received_at: Date | null }
const columns = sql.raw(COLUMNS.map((name) => `t.${name}`).join())

type Contact = { id: number; name: string; number: string | null; profile_pic_file: string | null }
type Named = { id: number; name: string }
type Lookups = {
  contacts: Contact[]
  connections: Named[]
  users: Named[] | null
  queues: Named[] | null
  tags: { ticket_id: number; id: number; tag: string; color: string }[] | null
  wallets: { contact_id: number; id: number; name: string }[] | null
  groups: { ticket_id: number; user_id: number }[] | null
  drafts?: { ticket_id: number; body: string }[] | null
}

const named = (table: string, key: string, shown: string) =>
  `select id, ${shown} from ${table} where tenant_id = app.tenant() and id = any(array(select ${key} from t))`

const withLookups = lookupsOf('t', {
  contacts: named('contacts', 'contact_id', 'name, number, profile_pic_file'),
  connections: named('connections', 'connection_id', 'name'),
  users: named('users', 'user_id', 'name'),
  queues: named('queues', 'queue_id', 'queue as name'),
  tags: `select m.ticket_id, g.id, g.tag, g.color from ticket_tags m join tags g on g.tenant_id = m.tenant_id and g.id = m.tag_id
    where m.tenant_id = app.tenant() and m.ticket_id = any(array(select id from t))`,
  wallets: `select m.contact_id, p.id, p.name from contact_wallets m join users p on p.tenant_id = m.tenant_id and p.id = m.user_id
    where m.tenant_id = app.tenant() and m.contact_id = any(array(select contact_id from t))`,
  groups: `select ticket_id, user_id from ticket_group_users
    where tenant_id = app.tenant() and ticket_id = any(array(select id from t where is_group))`,
})

const draftsOf = (viewerId: number) => sql`select ticket_id, body from drafts
  where tenant_id = app.tenant() and user_id = ${viewerId} and ticket_id = any(array(select id from t)) and body <> ''`

/** Ticket with the data of its list row. */
export type NamedTicket = Columns & {
  contact_name: string
  contact_number: string | null
  profile_pic_file: string | null
  connection_name: string
  user_name: string | null
  queue_name: string | null
  tags: { id: number; tag: string; color: string }[]
  wallets: { id: number; name: string }[]
  group_user_ids: number[]
  /** Draft of the viewer. */
  draft: string | null
}

/** Row of a page before its lookups are joined. */
export type TicketPageRow = Columns & { lookups: Lookups | null }

type Naming = { viewerId?: number | undefined; by?: RawBuilder<unknown>; more?: RawBuilder<unknown> }

/**
 * Builds the statement of a page of tickets in its order (`by`; none if irrelevant), each with the data of its list row;
 * `viewerId` adds this user's drafts. `more`: further columns.
 */
export const ticketPageStatement = <M extends object = object>(
  page: TicketPage,
  { viewerId, by, more = sql`` }: Naming,
): RawBuilder<TicketPageRow & M> =>
  sql<TicketPageRow & M>`with t as materialized ${page}
    select ${columns}, ${conversationReceivedAt('t')} as conversation_received_at${more}, ${withLookups(viewerId === undefined ? {} : { drafts: draftsOf(viewerId) })} from t ${by ? sql`order by ${by}` : sql``}`

/** Joins the lookups to the rows of a page. */
export function namedTicketsOf<R extends TicketPageRow>(rows: readonly R[]): (NamedTicket & R)[] {
  const shown = readLookups(rows)
  const contacts = byKey(shown.contacts, 'id')
  const connections = byKey(shown.connections, 'id')
  const users = byKey(shown.users, 'id')
  const queues = byKey(shown.queues, 'id')
  const tags = groupedBy(shown.tags, 'ticket_id')
  const wallets = groupedBy(shown.wallets, 'contact_id')
  const groups = groupedBy(shown.groups, 'ticket_id')
  const drafts = byKey(shown.drafts, 'ticket_id')
  return rows.map((row) => {
    const contact = lookUp(contacts, row.contact_id)
    return {
      ...row,
      contact_name: contact.name,
      contact_number: contact.number,
      profile_pic_file: contact.profile_pic_file,
      connection_name: lookUp(connections, row.connection_id).name,
      user_name: users.get(row.user_id!)?.name ?? null,
      queue_name: queues.get(row.queue_id!)?.name ?? null,
      tags: (tags.get(row.id) ?? []).map(({ id, tag, color }) => ({ id, tag, color })),
      wallets: (wallets.get(row.contact_id) ?? []).map(({ id, name }) => ({ id, name })),
      group_user_ids: groups.get(row.id)?.map(({ user_id }) => user_id) ?? [],
      draft: drafts.get(row.id)?.body ?? null,
    }
  })
}

/** Returns the existing tickets among the ids, in no order. */
export async function findNamedTickets(
  db: Queryable,
  ids: readonly number[],
  viewerId?: number,
): Promise<NamedTicket[]> {
  const page = db
    .selectFrom('tickets')
    .selectAll('tickets')
    .where(sql<SqlBool>`tickets.id = any(${[...ids]}::bigint[])`)
  return namedTicketsOf((await ticketPageStatement(page, { viewerId }).execute(db)).rows)
}
