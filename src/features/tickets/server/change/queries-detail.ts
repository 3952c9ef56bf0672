import { sql } from 'kysely'
import type { z } from 'zod'
import { findNamedTickets } from '#features/ledger/server/rows/index.ts'
import type { ticketDetail } from '#features/ledger/ticket-rows.ts'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import { ownVariablesIn } from '#server/own-variables.ts'

type ScheduledMessage = z.input<typeof ticketDetail>['scheduledMessages'][number]
type PinnedMessage = z.input<typeof ticketDetail>['pinned'][number]

// Assistants that make phone calls.
const VOICES = assistantConfigs.flatMap(({ id, kind }) => (kind === 'voice' ? [id] : []))

/** Returns one ticket with everything that its screen shows. */
export async function findDetail(db: Queryable, id: number, viewerId: number) {
  const [[ticket], more, ownOf] = await Promise.all([
    findNamedTickets(db, [id], viewerId),
    findMore(db, id),
    ownVariablesIn(db, [id]),
  ])
  return ticket && more && { ...ticket, ...more, own: ownOf(ticket.contact_id) }
}

// Uses the short index of pending messages instead of the long conversation.
const scheduled = sql<ScheduledMessage[]>`coalesce((
  select json_agg(json_build_object('id', m.id, 'body', m.body, 'status', m.status, 'scheduleDate',
    to_char(m.schedule_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'mediaType', m.media_type,
    'mediaName', (select f.name from files f where f.tenant_id = m.tenant_id and f.id = m.file_id),
    'userName', (select a.name from users a where a.tenant_id = m.tenant_id and a.id = m.user_id),
    'cancelOnReply', m.cancel_on_reply, 'repeat', m.repeat) order by m.send_at, m.seq)
  from messages m
  where m.tenant_id = t.tenant_id and m.connection_id = t.connection_id and m.conversation_key = t.conversation_key
    and m.from_me and m.status in ('pending', 'queued') and m.schedule_date is not null and m.send_at is not null
    and m.ticket_id = t.id), '[]')`.as('scheduled')

const pinned = sql<PinnedMessage[]>`coalesce((
  select json_agg(json_build_object('id', m.id, 'body', left(m.body, 300), 'mediaType', m.media_type, 'isNote', m.is_note,
    'mediaName', (select f.name from files f where f.tenant_id = m.tenant_id and f.id = m.file_id),
    'userName', (select a.name from users a where a.tenant_id = m.tenant_id and a.id = m.user_id),
    'by', (select a.name from users a where a.tenant_id = p.tenant_id and a.id = p.user_id),
    'timestamp', floor(extract(epoch from m.timestamp) * 1000)::bigint) order by p.created_at desc, m.seq desc)
  from pinned_messages p join messages m on m.tenant_id = p.tenant_id and m.id = p.message_id
  where p.tenant_id = t.tenant_id and p.ticket_id = t.id and not m.is_deleted), '[]')`.as('pinned')

const findMore = async (db: Queryable, id: number) =>
  db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.contact_id'),
    )
    .innerJoin('connections as w', (join) =>
      join.onRef('w.tenant_id', '=', 't.tenant_id').onRef('w.id', '=', 't.connection_id'),
    )
    .leftJoin('stages as s', (join) => join.onRef('s.tenant_id', '=', 't.tenant_id').onRef('s.id', '=', 't.kanban'))
    .where('t.id', '=', id)
    .select([
      's.name as stage_name',
      ...(['t.started_attendance_at', 't.is_active_demand', 't.value', 't.reason_id', 't.total_paused_ms'] as const),
      ...(['t.chat_flow_node', 't.bot_retries', 't.is_farewell_message'] as const),
    ])
    .select([
      'w.type as connection_type',
      'w.status as connection_status',
      'c.email as contact_email',
      'c.cpf as contact_cpf',
      'c.business_name as contact_business_name',
      'c.created_at as contact_created_at',
      'c.extra_info as contact_extra_info',
      // Tests for existence only, however many flows there are.
      sql<boolean>`coalesce((select true from chat_flows f where f.tenant_id = t.tenant_id and f.is_active and not f.is_deleted and f.auto_reply_id is null limit 1), false)`.as(
        'has_flows',
      ),
      sql<boolean>`coalesce((select true from provider_settings v
        where v.tenant_id = t.tenant_id and v.is_active and v.kind = 'assistant' and v.provider = any(${VOICES}::text[]) limit 1), false)`.as(
        'has_voice',
      ),
      sql<number>`(select count(*) from tickets o
        where o.tenant_id = t.tenant_id and o.contact_id = t.contact_id and o.id <> t.id)`.as('other_tickets'),
      't.conversation_key as address',
      sql<number>`(select count(*) from contacts r join contact_identities i on i.tenant_id = r.tenant_id and i.contact_id = r.id
        where r.tenant_id = t.tenant_id and (r.id = t.contact_id or r.merged_into = t.contact_id) and i.channel = t.channel
          and i.identity <> t.conversation_key and app.line_of(i.identity) <> app.line_of(t.conversation_key))`.as(
        'other_addresses',
      ),
      sql<Date | null>`(select i.blocks_us_since from contact_identities i
        where i.tenant_id = t.tenant_id and i.channel = t.channel and i.identity = t.conversation_key)`.as(
        'blocks_us_since',
      ),
      sql<number | null>`(select e.evaluation from ticket_evaluations e
        where e.tenant_id = t.tenant_id and e.ticket_id = t.id and e.evaluation is not null
        order by e.closed_at desc limit 1)`.as('rating'),
      scheduled,
      sql<
        number[]
      >`array(select f.user_id from ticket_followers f where f.tenant_id = t.tenant_id and f.ticket_id = t.id)`.as(
        'follower_ids',
      ),
      pinned,
    ])
    .executeTakeFirst()

/** Returns when the contact of a conversation last came by an ad, not before `since`; null for never. */
export async function lastAdOf(
  db: Queryable,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
  since: Date,
): Promise<Date | null> {
  const { at } = await db
    .selectFrom('tickets as t')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.tenant_id', '=', 't.tenant_id').onRef('m.ticket_id', '=', 't.id'),
    )
    .select((one) => one.fn.max('m.timestamp').as('at'))
    .where('t.connection_id', '=', connectionId)
    .where('t.conversation_key', '=', conversationKey)
    .where('m.timestamp', '>', since)
    .where('m.from_me', '=', false)
    .where(sql<boolean>`m.data ? 'ad'`)
    .executeTakeFirstOrThrow()
  return at
}

/** Ticket with the details of its screen. */
export type DetailedTicket = Awaited<ReturnType<typeof findDetail>> & {}

/** Returns a page of a ticket's log, newest first. */
export const listLogs = (
  db: Queryable,
  ticketId: number,
  page: { before: number | null; offset: number; limit: number },
) =>
  db
    .selectFrom('ticket_logs as l')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'l.tenant_id').onRef('u.id', '=', 'l.user_id'))
    .leftJoin('queues as q', (join) => join.onRef('q.tenant_id', '=', 'l.tenant_id').onRef('q.id', '=', 'l.queue_id'))
    .select(['l.id', 'l.type', 'l.data', 'l.created_at', 'u.name as user_name', 'q.queue as queue_name'])
    .where('l.ticket_id', '=', ticketId)
    .$if(page.before !== null, (query) => query.where('l.id', '<', page.before))
    .orderBy('l.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
