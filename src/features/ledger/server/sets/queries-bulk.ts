import { sql } from 'kysely'
import type { Image } from '#domain/bulk/undo.ts'
import { keysIn } from '#domain/keys.ts'
import type { TicketLog } from '#domain/tickets/logs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { findTicketsForUpdate, findTicketsOf, type TicketRecord } from '../rows/queries.ts'

// The columns of a ticket that people change, with their types.
const COLUMNS = {
  status: 'text',
  user_id: 'bigint',
  queue_id: 'bigint',
  chat_flow_id: 'bigint',
  reason_id: 'bigint',
  started_attendance_at: 'timestamptz',
  closed_at: 'timestamptz',
  waiting_since: 'timestamptz',
  unread_messages: 'int',
  updated_at: 'timestamptz',
  chat_flow_node: 'text',
  bot_retries: 'int',
  paused_at: 'timestamptz',
  total_paused_ms: 'bigint',
  snoozed_until: 'timestamptz',
  connection_id: 'bigint',
  conversation_key: 'text',
  channel: 'text',
  assistants: 'jsonb',
  kanban: 'bigint',
  value: 'numeric',
  is_farewell_message: 'boolean',
} as const

/** Values of ticket columns; times as ISO, JSON as text. */
export type TicketFields = { readonly [C in keyof typeof COLUMNS]?: string | number | boolean | null }

/** Change of a ticket; without `back` it is counted as a new change, made by `by` at `now`. */
export type TicketWrite = {
  readonly id: number
  readonly fields: TicketFields
  readonly back?: Pick<Image, 'revision' | 'changedBy' | 'changedAt'>
}

const names = keysIn(COLUMNS)

/** Updates tickets, each with its own fields, and counts the change. */
export async function writeTickets(
  db: Tx,
  writes: readonly TicketWrite[],
  { by, now }: { by: number | null; now: Date },
): Promise<void> {
  if (writes.length === 0) return
  const written = names.filter((name) => writes.some(({ fields }) => fields[name] !== undefined))
  const set = written.map((name) => {
    const value = sql`(c.fields ->> ${sql.lit(name)})::${sql.raw(COLUMNS[name])}`
    return sql`${sql.ref(name)} = case when c.fields ? ${sql.lit(name)} then ${value} else ${sql.ref(`t.${name}`)} end`
  })
  await sql`
    update tickets t set ${sql.join(
      set.map((one) => sql`${one}, `),
      sql``,
    )}
      revision = coalesce((c.back ->> 'revision')::int, t.revision + 1),
      changed_by = case when c.back is null then ${by}::bigint else (c.back ->> 'changedBy')::bigint end,
      changed_at = case when c.back is null then ${now}::timestamptz else (c.back ->> 'changedAt')::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(writes)}::jsonb) as c (id bigint, fields jsonb, back jsonb)
    where t.tenant_id = app.tenant() and t.id = c.id and t.id = any(${writes.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
}

/** Counts a change of tickets that was written elsewhere. */
export async function countChange(
  db: Tx,
  ids: readonly number[],
  { by, now }: { by: number | null; now: Date },
): Promise<void> {
  await sql`update tickets set revision = revision + 1, changed_by = ${by}, changed_at = ${now}
    where id = any(${[...ids]}::bigint[])`.execute(db)
}

/** Appends entries to the logs of tickets, in order. */
export async function insertAllLogs(
  db: Tx,
  logs: readonly (TicketLog & { readonly ticketId: number })[],
  now: Date,
): Promise<void> {
  if (logs.length === 0) return
  await sql`
    insert into ticket_logs (tenant_id, ticket_id, type, user_id, queue_id, data, created_at)
    select app.tenant(), l."ticketId", l.type, l."userId", l."queueId", coalesce(l.data, '{}'), ${now}
    from rows from (jsonb_to_recordset(${JSON.stringify(logs)}::jsonb)
      as ("ticketId" bigint, type text, "userId" bigint, "queueId" bigint, data jsonb))
      with ordinality as l order by l.ordinality`.execute(db)
}

/** Returns tickets in order of id, locked with `isHeld`. */
export async function ticketsById(
  db: Queryable,
  ids: readonly number[],
  isLocked: boolean,
): Promise<Map<number, TicketRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await (isLocked ? findTicketsForUpdate(db as Tx, ids) : findTicketsOf(db, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the conversation of each ticket (equal for both spellings of a number), and whether another ticket of it is active. */
export async function conversationsOf(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, { conversation: string; isTaken: boolean }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; conversation: string; isTaken: boolean }>`
    select t.id, t.connection_id || ' ' || case when at.person = t.contact_id then 'person ' || at.person
        else app.line_of(t.conversation_key) end as conversation,
      exists (select from tickets o where o.tenant_id = t.tenant_id and o.connection_id = t.connection_id
        and app.line_of(o.conversation_key) = app.line_of(t.conversation_key)
        and o.status in ('open', 'pending') and o.id <> t.id)
      or exists (select from tickets o where o.tenant_id = t.tenant_id and o.connection_id = t.connection_id
        and o.contact_id = t.contact_id and at.person = t.contact_id
        and o.status in ('open', 'pending') and o.id <> t.id) as "isTaken"
    from tickets t
    cross join lateral (select case when not t.is_group then app.person_at(t.channel, t.conversation_key) end as person) at
    where t.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...conversation }) => [id, conversation]))
}

/** Returns the images of tickets that an undo compares and restores, in the precision of the database. */
export async function ticketImages(db: Queryable, ids: readonly number[]): Promise<Map<number, Image>> {
  if (ids.length === 0) return new Map()
  const exact = (name: keyof typeof COLUMNS) =>
    COLUMNS[name] === 'jsonb' ? sql`${sql.ref(`t.${name}`)}::text` : sql.ref(`t.${name}`)
  const fields = sql.join(names.flatMap((name) => [sql.lit(name), exact(name)]))
  const { rows } = await sql<Image & { id: number }>`
    select t.id, t.revision, t.updated_at || ' ' || t.last_message_at as mark, t.changed_by as "changedBy",
      to_jsonb(t.changed_at) as "changedAt",
      jsonb_build_object(${fields}, 'tags', array(select m.tag_id from ticket_tags m
        where m.tenant_id = t.tenant_id and m.ticket_id = t.id order by m.tag_id),
        'messages', array(select b.message_id from bulk_messages b
        where b.tenant_id = t.tenant_id and b.ticket_id = t.id order by b.message_id),
        'position', jsonb_build_object('kanban', c.kanban, 'order', c.kanban_order)) as fields
    from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id where t.id = any(${[...ids]}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, ...image }) => [id, image]))
}

/** Adds and removes tags of tickets; deleted tags are skipped. */
export async function changeTags(
  db: Tx,
  { ids, add, remove }: { ids: readonly number[]; add: readonly number[]; remove: readonly number[] },
): Promise<void> {
  const tickets = sql`${[...ids]}::bigint[]`
  if (remove.length > 0)
    await sql`delete from ticket_tags where ticket_id = any(${tickets}) and tag_id = any(${[...remove]}::bigint[])`.execute(
      db,
    )
  if (add.length > 0)
    await sql`insert into ticket_tags (tenant_id, ticket_id, tag_id)
      select g.tenant_id, t.id, g.id from unnest(${tickets}) as t (id), tags g where g.id = any(${[...add]}::bigint[])
      order by t.id, g.id on conflict do nothing`.execute(db)
}

/** Replaces the tags of each ticket. */
export async function restoreTags(db: Tx, tagsOf: ReadonlyMap<number, readonly number[]>): Promise<void> {
  const rows = [...tagsOf].flatMap(([ticketId, tagIds]) => tagIds.map((tagId) => ({ ticketId, tagId })))
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w ("ticketId" bigint, "tagId" bigint)`
  await sql`delete from ticket_tags m where m.ticket_id = any(${[...tagsOf.keys()]}::bigint[])
    and not exists (select from ${wanted} where w."ticketId" = m.ticket_id and w."tagId" = m.tag_id)`.execute(db)
  await sql`insert into ticket_tags (tenant_id, ticket_id, tag_id)
    select g.tenant_id, w."ticketId", g.id from ${wanted} join tags g on g.id = w."tagId"
    order by 2, 3 on conflict do nothing`.execute(db)
}

/** Counts the existing tags among the ids. */
export async function countTags(db: Queryable, ids: readonly number[]): Promise<number> {
  return (await db.selectFrom('tags').select('id').where('id', 'in', ids).execute()).length
}

/** Returns the active users among the ids. */
export async function assignees(db: Queryable, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('users').select('id').where('id', 'in', ids).where('is_active', '=', true).execute()
  return new Set(rows.map(({ id }) => id))
}
