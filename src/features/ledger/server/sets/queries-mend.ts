import { type RawBuilder, sql } from 'kysely'
import type { MessageType } from '#domain/messages/types.ts'
import type { Tx } from '#server/db/db.ts'

/** Stored last message and waiting time of a ticket; times in epoch ms. */
export type Summary = {
  lastMessage: string
  lastMessageFromMe: boolean
  lastMessageStatus: string
  lastMessageSender: string | null
  lastMessageAt: number
  answered: boolean
  waitingSince: number | null
}

/** Summary of a ticket, its newest message, and the waiting state derived from its messages (null: unknown). */
export type Compared = Summary & {
  id: number
  status: string
  newest: {
    type: MessageType
    body: string
    author: string | null
    isDeleted: boolean
    fromMe: boolean
    status: string
    sender: string | null
    at: number
  } | null
  derived: { answered: boolean; waitingSince: number | null } | null
}

const ms = (time: ReturnType<typeof sql>) => sql`(extract(epoch from ${time}) * 1000)::bigint`

/**
 * Locks the next tickets after an id and reads both; imported messages do not count. Waiting follows from the order of
 * messages since the ticket was last reopened; after forced or undone changes it is unknown.
 */
export async function compareSummaries(db: Tx, after: number, most: number): Promise<Compared[]> {
  return compare(db, sql`id > ${after} order by id limit ${sql.lit(most)}`)
}

/** Locks tickets by id and reads both. */
export const compareSummariesOf = (db: Tx, ids: readonly number[]): Promise<Compared[]> =>
  compare(db, sql`id = any(${[...ids]}::bigint[]) order by id`)

async function compare(db: Tx, which: RawBuilder<unknown>): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    select t.id, t.status, t.last_message as "lastMessage", t.last_message_from_me as "lastMessageFromMe",
      t.last_message_status as "lastMessageStatus", t.last_message_sender as "lastMessageSender", ${ms(sql`t.last_message_at`)} as "lastMessageAt", t.answered,
      ${ms(sql`t.waiting_since`)} as "waitingSince", newest.one as newest,
      case when derived.is_known then jsonb_build_object('answered', derived.answered, 'waitingSince', derived.waiting) end as derived
    from (select * from tickets where tenant_id = app.tenant() and ${which} for update) t
    left join lateral (
      select jsonb_build_object('type', m.media_type, 'body', m.body, 'author', u.name, 'isDeleted', m.is_deleted,
        'fromMe', m.from_me, 'status', m.status, 'sender', m.sender ->> 'name', 'at', ${ms(sql`m.timestamp`)}) as one
      from messages m left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      where m.tenant_id = t.tenant_id and m.ticket_id = t.id and not m.is_note and m.send_at is null and m.sync_time is null
      order by m.timestamp desc, m.seq desc limit 1) newest on true
    cross join lateral (
      select max(l.id) filter (where l.type in ('closed', 'autoClose', 'connectionRemoved', 'merged')) as closing,
        bool_or(l.type in ('force', 'undo')) as is_unsure
      from ticket_logs l where l.tenant_id = t.tenant_id and l.ticket_id = t.id) logged
    cross join lateral (
      select coalesce(min(l.created_at) filter (where l.id > logged.closing and not t.is_group),
        min(l.created_at) filter (where l.id = logged.closing), '-infinity') as since
      from ticket_logs l where l.tenant_id = t.tenant_id and l.ticket_id = t.id and l.id >= logged.closing) begun
    cross join lateral (
      select coalesce(max(m.seq) filter (where m.from_me), 0) as answer, count(*) as spoken
      from messages m where m.tenant_id = t.tenant_id and m.ticket_id = t.id and not m.is_note and m.send_at is null and m.sync_time is null
        and (not m.from_me or m.send_type = 'chat') and m.created_at > begun.since) staff
    cross join lateral (
      select t.status <> 'closed' and staff.spoken > 0 and not coalesce(logged.is_unsure, false) as is_known,
        count(m.id) = 0 as answered, ${ms(sql`(array_agg(m.timestamp order by m.seq))[1]`)} as waiting
      from messages m where m.tenant_id = t.tenant_id and m.ticket_id = t.id and not m.is_note and not m.from_me
        and m.send_at is null and m.sync_time is null and m.created_at > begun.since and m.seq > staff.answer) derived
    order by t.id`.execute(db)
  return rows
}

/** Writes the last message and waiting state of tickets, without a person as author. */
export async function writeSummaries(db: Tx, summaries: readonly (Summary & { readonly id: number })[]): Promise<void> {
  await sql`
    update tickets t set last_message = s."lastMessage", last_message_from_me = s."lastMessageFromMe",
      last_message_status = s."lastMessageStatus", last_message_sender = s."lastMessageSender", last_message_at = to_timestamp(s."lastMessageAt" / 1000.0),
      answered = s.answered, waiting_since = to_timestamp(s."waitingSince" / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(summaries)}::jsonb) as s (id bigint, "lastMessage" text, "lastMessageFromMe" boolean,
      "lastMessageStatus" text, "lastMessageSender" text, "lastMessageAt" double precision, answered boolean, "waitingSince" double precision)
    where t.tenant_id = app.tenant() and t.id = s.id and t.id = any(${summaries.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
}
