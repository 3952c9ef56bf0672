import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Some rows of `tickets`, whole: the page that names are joined to. */
export type TicketPage = SelectQueryBuilder<DB, 'tickets', Selectable<DB['tickets']>>

const ids = (from: string, member: string, key: string, own: string) =>
  sql<number[]>`array(select m.${sql.ref(member)} from ${sql.table(from)} m
    where m.tenant_id = ${sql.ref('tickets.tenant_id')} and m.${sql.ref(key)} = ${sql.ref(`tickets.${own}`)})`

// What visibility asks beside a ticket's own columns: tags, wallets of the contact, people named on a group.
const ticketsWithFacts = (db: Queryable) =>
  db
    .selectFrom('tickets')
    .selectAll('tickets')
    .select([
      ids('ticket_tags', 'tag_id', 'ticket_id', 'id').as('tag_ids'),
      ids('contact_wallets', 'user_id', 'contact_id', 'contact_id').as('wallet_ids'),
      ids('ticket_group_users', 'user_id', 'ticket_id', 'id').as('group_user_ids'),
    ])

/** A ticket as `ticketsWithFacts` reads it. */
export type TicketRecord = Awaited<ReturnType<typeof findTicket>> & {}

/** One ticket, whoever asks. */
export const findTicket = (db: Queryable, id: number) =>
  ticketsWithFacts(db).where('tickets.id', '=', id).executeTakeFirst()

/** One ticket, held until the end of the transaction. */
export const findTicketForUpdate = (db: Tx, id: number) =>
  ticketsWithFacts(db).where('tickets.id', '=', id).forUpdate('tickets').executeTakeFirst()

/** Tickets, whoever asks. */
export const findTicketsOf = (db: Queryable, ids: readonly number[]) =>
  ticketsWithFacts(db)
    .where(sql<SqlBool>`tickets.id = any(${[...ids]}::bigint[])`)
    .orderBy('tickets.id')
    .execute()

/** Tickets in order of id, held until the end of the transaction. */
export const findTicketsForUpdate = (db: Tx, ids: readonly number[]) =>
  ticketsWithFacts(db)
    .where(sql<SqlBool>`tickets.id = any(${[...ids]}::bigint[])`)
    .orderBy('tickets.id')
    .forUpdate('tickets')
    .execute()

/** A page of tickets with everything a row of the list shows; `viewerId` adds the draft that this user began. */
export function selectTickets(db: Queryable, page: TicketPage, viewerId?: number) {
  return db
    .selectFrom(page.as('t'))
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
    )
    .innerJoin('connections as w', (join) =>
      join.onRef('w.tenant_id', '=', 't.tenant_id').onRef('w.id', '=', 't.connection_id'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 't.tenant_id').onRef('u.id', '=', 't.user_id'))
    .leftJoin('queues as q', (join) => join.onRef('q.tenant_id', '=', 't.tenant_id').onRef('q.id', '=', 't.queue_id'))
    .selectAll('t')
    .select([
      'c.name as contact_name',
      'c.number as contact_number',
      'c.profile_pic_file',
      'w.name as connection_name',
      'u.name as user_name',
      'q.queue as queue_name',
      sql<{ id: number; tag: string; color: string }[]>`coalesce((
        select json_agg(json_build_object('id', g.id, 'tag', g.tag, 'color', g.color))
        from ticket_tags m join tags g on g.tenant_id = m.tenant_id and g.id = m.tag_id
        where m.tenant_id = t.tenant_id and m.ticket_id = t.id), '[]')`.as('tags'),
      sql<{ id: number; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name))
        from contact_wallets m join users p on p.tenant_id = m.tenant_id and p.id = m.user_id
        where m.tenant_id = t.tenant_id and m.contact_id = t.contact_id), '[]')`.as('wallets'),
      sql<number[]>`case when t.is_group then array(
        select m.user_id from ticket_group_users m
        where m.tenant_id = t.tenant_id and m.ticket_id = t.id) else '{}' end`.as('group_user_ids'),
      viewerId === undefined
        ? sql<string | null>`null::text`.as('draft')
        : sql<string | null>`(select nullif(d.body, '') from drafts d
            where d.tenant_id = t.tenant_id and d.user_id = ${viewerId} and d.ticket_id = t.id)`.as('draft'),
    ])
}

/** A ticket with names, as `selectTickets` reads it. */
export type NamedTicket = Awaited<ReturnType<ReturnType<typeof selectTickets>['execute']>>[number]

// `offset 0`: found by their ids before anything is joined. Among many companies the planner would start from the channels.
/** Those of the ids that exist, in no order. */
export function findNamedTickets(db: Queryable, ids: readonly number[], viewerId?: number) {
  const page = db
    .selectFrom('tickets')
    .selectAll('tickets')
    .where(sql<SqlBool>`tickets.id = any(${[...ids]}::bigint[])`)
    .offset(sql.lit(0))
  return selectTickets(db, page, viewerId).execute()
}
