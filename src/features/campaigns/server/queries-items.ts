import { type Expression, sql } from 'kysely'
import { type ItemState, STATE_OF } from '#domain/campaigns/states.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { Forgetting } from '#server/forgetting.ts'

const COUNTED = sql`
  insert into dispatch_ticks (tenant_id, dispatch_id, counter, amount)
  select app.tenant(), dispatch_id, counter, sum(amount)::int from (
    select dispatch_id, was as counter, -1 as amount from moved union all select dispatch_id, state, 1 from moved) changed
  group by dispatch_id, counter having sum(amount) <> 0`

/** New state of a recipient; `reason`: '' if none. */
type Moved = { readonly key: string | number; readonly state: ItemState; readonly reason: string }

// The only way to change recipients' states: the counts change in the same statement.
async function move(
  db: Tx,
  moves: readonly (Moved & { variant?: number; isFirst?: boolean })[],
  { by, now, from }: { by: 'id' | 'message_id'; now: Date; from?: ItemState },
): Promise<void> {
  if (moves.length === 0) return
  const key = sql.ref(`i.${by}`)
  const type = by === 'id' ? sql`bigint` : sql`uuid`
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as g (key ${type}, state text, reason text, variant int, "isFirst" boolean)),
    held as (
      select i.id, i.dispatch_id, i.state as was, g.state, g.reason, g.variant, g."isFirst"
      from dispatch_items i join given g on ${key} = g.key
      where i.tenant_id = app.tenant() and ${key} = any(array(select key from given)) and i.state <> g.state
        and (${from ?? null}::text is null or i.state = ${from ?? null})
      order by i.id for update of i),
    moved as (
      update dispatch_items i set state = h.state, reason = h.reason, state_at = ${now},
        variant = coalesce(h.variant, i.variant), is_first = coalesce(h."isFirst", i.is_first),
        sent_at = case when h.state = 'queued' then ${now} else i.sent_at end
      from held h where i.tenant_id = app.tenant() and i.id = h.id returning h.dispatch_id, h.was, h.state)
    ${COUNTED}`.execute(db)
}

/** Updates recipients by the status of their messages. */
export const moveByMessage = (
  db: Tx,
  changes: readonly { messageId: string; state: ItemState; reason: string }[],
  now: Date,
): Promise<void> =>
  move(
    db,
    changes.map(({ messageId, ...change }) => ({ key: messageId, ...change })),
    { by: 'message_id', now },
  )

/** Maximum number of recipients that are updated to their messages' status at once. */
const MOST_BEHIND = 10_000

/** Returns messages of a dispatch whose status is further than their recipient's state. */
export async function messagesAhead(
  db: Queryable,
  dispatchId: number,
): Promise<{ messageId: string; state: ItemState }[]> {
  const { rows } = await sql<{ messageId: string; state: ItemState }>`
    select m.id as "messageId", s.value as state
    from dispatch_items i join messages m on m.tenant_id = i.tenant_id and m.id = i.message_id
    join jsonb_each_text(${JSON.stringify(STATE_OF)}::jsonb) s on s.key = m.status
    where i.tenant_id = app.tenant() and i.dispatch_id = ${dispatchId}
      and i.state in ('queued', 'sent', 'delivered', 'uncertain') and s.value <> i.state
    order by i.id limit ${MOST_BEHIND}`.execute(db)
  return rows
}

/** Marks recipients whose message was just written. */
export const queueItems = (
  db: Tx,
  items: readonly { id: number; variant: number; isFirst: boolean }[],
  now: Date,
): Promise<void> =>
  move(
    db,
    items.map(({ id, ...about }) => ({ key: id, state: 'queued' as const, reason: '', ...about })),
    { by: 'id', now, from: 'waiting' },
  )

/** Marks recipients as skipped, with the reason. */
export const skipItems = (db: Tx, items: readonly { id: number; reason: string }[], now: Date): Promise<void> =>
  move(
    db,
    items.map(({ id, reason }) => ({ key: id, state: 'skipped' as const, reason })),
    { by: 'id', now, from: 'waiting' },
  )

/** Skips the first `most` waiting recipients of a dispatch, or (null) all of them. */
export async function skipWaiting(
  db: Tx,
  dispatchId: number,
  { reason, most, now }: { reason: string; most: number | null; now: Date },
): Promise<void> {
  await sql`
    with held as (
      select id, dispatch_id, state as was from dispatch_items where tenant_id = app.tenant() and dispatch_id = ${dispatchId}
        and state = 'waiting' order by id limit ${most} for update),
    moved as (
      update dispatch_items i set state = 'skipped', reason = ${reason}, state_at = ${now}
      from held h where i.tenant_id = app.tenant() and i.id = h.id returning h.dispatch_id, h.was, i.state)
    ${COUNTED}`.execute(db)
}

/** Number of recipients per insert statement, because of the statement time-out. */
const BLOCK = 5000

/**
 * Adds contacts (`id`) as recipients, one per number, spread over the connections in turn, with their own `values`; returns
 * how many are new.
 */
export async function addItems(
  db: Tx,
  to: { dispatchId: number; connectionIds: readonly number[] },
  contacts: Expression<unknown>,
  values: ReadonlyMap<number, Readonly<Record<string, string>>> = new Map(),
): Promise<number> {
  const { rows } = await sql<{ id: number }>`select c.id from (${contacts}) c order by c.id`.execute(db)
  let added = 0
  for (let from = 0; from < rows.length; from += BLOCK) {
    const block = rows.slice(from, from + BLOCK).map(({ id }) => ({ id, given: values.get(id) ?? null }))
    added += await addBlock(db, to, block)
  }
  return added
}

async function addBlock(
  db: Tx,
  { dispatchId, connectionIds }: { dispatchId: number; connectionIds: readonly number[] },
  block: readonly { readonly id: number; readonly given: Readonly<Record<string, string>> | null }[],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with added as (
      insert into dispatch_items (tenant_id, dispatch_id, contact_id, connection_id, line, message_id, own_values)
      select app.tenant(), ${dispatchId}, c.id,
        (${[...connectionIds]}::bigint[])[1 + (row_number() over (order by c.id) - 1) % ${connectionIds.length}::int],
        coalesce(app.line_of(c.number), 'c' || c.id), gen_random_uuid(), nullif(b.given, 'null')
      from jsonb_to_recordset(${JSON.stringify(block)}::jsonb) as b (id bigint, given jsonb)
      join contacts c on c.tenant_id = app.tenant() and c.id = b.id order by c.id
      on conflict (tenant_id, dispatch_id, line) do nothing returning 1),
    ticked as (
      insert into dispatch_ticks (tenant_id, dispatch_id, counter, amount)
      select app.tenant(), ${dispatchId}, 'waiting', count(*)::int from added having count(*) > 0)
    select count(*)::int as n from added`.execute(db)
  return rows[0]!.n
}

/** Counts the chosen contacts. */
export async function countChosen(db: Queryable, chosen: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${chosen}) chosen`.execute(db)
  return rows[0]!.n
}

/** Adds the recipients of another dispatch, or those of them who got its message and have not answered. */
export const copyItems = (
  db: Tx,
  to: { dispatchId: number; connectionIds: readonly number[] },
  { from, onlySilent }: { from: number; onlySilent: boolean },
): Promise<number> =>
  addItems(
    db,
    to,
    sql`select c.id from dispatch_items i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
      where i.tenant_id = app.tenant() and i.dispatch_id = ${from}
        and (not ${onlySilent} or (i.replied_at is null and i.state in ('sent', 'delivered', 'read')))`,
  )

/** Removes waiting recipients, of one contact or all; returns their number. */
export async function removeItems(db: Tx, dispatchId: number, contactId: number | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with removed as (
      delete from dispatch_items where tenant_id = app.tenant() and dispatch_id = ${dispatchId}
        and (${contactId}::bigint is null or contact_id = ${contactId}) and state in ('waiting', 'skipped') returning state),
    ticked as (
      insert into dispatch_ticks (tenant_id, dispatch_id, counter, amount)
      select app.tenant(), ${dispatchId}, state, -count(*)::int from removed group by state)
    select count(*)::int as n from removed`.execute(db)
  return rows[0]!.n
}

/** Moves all waiting recipients to another connection. */
export async function setItemsConnection(db: Tx, dispatchId: number, connectionId: number): Promise<void> {
  await sql`update dispatch_items set connection_id = ${connectionId}
    where tenant_id = app.tenant() and dispatch_id = ${dispatchId} and state = 'waiting'`.execute(db)
}

/** Puts recipients counted as skipped back into the queue when a dispatch restarts. */
export async function unskip(db: Tx, dispatchId: number, now: Date): Promise<void> {
  await sql`
    with held as (
      select id, dispatch_id, state as was from dispatch_items where tenant_id = app.tenant() and dispatch_id = ${dispatchId}
        and state = 'skipped' order by id for update),
    moved as (
      update dispatch_items i set state = 'waiting', reason = '', state_at = ${now}
      from held h where i.tenant_id = app.tenant() and i.id = h.id returning h.dispatch_id, h.was, i.state)
    ${COUNTED}`.execute(db)
}

/** Row of the recipient list. */
export type ItemRecord = {
  readonly id: number
  readonly contactId: number
  readonly variant: number
  readonly state: ItemState
  readonly reason: string
  readonly sentAt: Date | null
  readonly stateAt: Date | null
  readonly repliedAt: Date | null
  readonly optedOutAt: Date | null
  readonly clickedAt: Date | null
}

/** Filter of recipients. */
export type ListedItems = {
  readonly dispatchId: number
  readonly states: readonly string[] | null
  readonly replied: boolean
  readonly optedOut: boolean
  readonly clicked: boolean
  /** Index of the text that recipients got, from 0; null: any. */
  readonly variant: number | null
  /** Contacts to restrict the list to; null: all. */
  readonly contactIds: readonly number[] | null
}

const listed = ({ dispatchId, states, replied, optedOut, clicked, variant, contactIds }: ListedItems) => sql`
  i.tenant_id = app.tenant() and i.dispatch_id = ${dispatchId} and (${states === null} or i.state = any(${[...(states ?? [])]}::text[]))
  and (not ${replied} or i.replied_at is not null) and (not ${optedOut} or i.opted_out_at is not null)
  and (not ${clicked} or i.clicked_at is not null)
  and (${variant}::int is null or (i.variant = ${variant} and i.state in ('sent', 'delivered', 'read')))
  and (${contactIds === null} or i.contact_id = any(${[...(contactIds ?? [])]}::bigint[]))`

/** Returns a page of recipients in order; `after`: last id of the page before. */
export async function listItems(
  db: Queryable,
  which: ListedItems,
  { after, offset, limit }: { after: readonly [number] | null; offset: number; limit: number },
): Promise<ItemRecord[]> {
  const { rows } = await sql<ItemRecord>`
    select i.id, i.contact_id as "contactId", i.variant, i.state, i.reason, i.sent_at as "sentAt", i.state_at as "stateAt",
      i.replied_at as "repliedAt", i.opted_out_at as "optedOutAt",
      i.clicked_at as "clickedAt"
    from dispatch_items i where ${listed(which)} and (${after?.[0] ?? null}::bigint is null or i.id > ${after?.[0] ?? null})
    order by i.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Counts recipients by a filter, up to `most`. */
export async function countItems(db: Queryable, which: ListedItems, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from dispatch_items i where ${listed(which)} limit ${most}) counted`.execute(
    db,
  )
  return rows[0]!.n
}

/** Recipient who answered, with the dispatch and its targets for answers. */
export type Answered = {
  readonly id: number
  readonly ticketId: number
  readonly dispatchId: number
  readonly name: string
  readonly replyQueueId: number | null
  readonly replyTagId: number | null
  readonly replyFlowId: number | null
}

/** Returns the latest unanswered dispatch message to the contact of each ticket on its connection since a time. */
export async function findUnanswered(db: Queryable, ticketIds: readonly number[], since: Date): Promise<Answered[]> {
  const { rows } = await sql<Answered>`
    select newest.id, t.id as "ticketId", d.id as "dispatchId", d.name, d.reply_queue_id as "replyQueueId", d.reply_tag_id as "replyTagId",
      d.reply_flow_id as "replyFlowId"
    from tickets t
    cross join lateral (
      select i.id, i.dispatch_id, i.replied_at from dispatch_items i
      where i.tenant_id = app.tenant() and i.sent_at > ${since} and i.connection_id = t.connection_id and i.state <> 'skipped'
        and i.contact_id = any(array(select c.id from contacts c
          where c.tenant_id = app.tenant() and (c.id = t.contact_id or c.merged_into = t.contact_id)))
      order by i.sent_at desc limit 1) newest
    join dispatches d on d.tenant_id = app.tenant() and d.id = newest.dispatch_id
    where t.tenant_id = app.tenant() and t.id = any(${[...ticketIds]}::bigint[]) and newest.replied_at is null`.execute(
    db,
  )
  return rows
}

/** Records that recipients answered, and whether they opted out; each counts once. */
export async function markAnswered(
  db: Tx,
  answers: readonly { id: number; optsOut: boolean }[],
  now: Date,
): Promise<void> {
  await sql`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as g (id bigint, "optsOut" boolean)),
    marked as (
      update dispatch_items i set replied_at = ${now}, opted_out_at = case when g."optsOut" then ${now}::timestamptz end
      from given g where i.tenant_id = app.tenant() and i.id = g.id and i.replied_at is null
      returning i.dispatch_id, g."optsOut" as opts_out)
    insert into dispatch_ticks (tenant_id, dispatch_id, counter, amount)
    select app.tenant(), dispatch_id, counter, count(*)::int from (
      select dispatch_id, 'replied' as counter from marked
      union all select dispatch_id, 'optedOut' from marked where opts_out) counted
    group by dispatch_id, counter`.execute(db)
}

/** Returns the text that a recipient got, as stored with the dispatch; undefined if there is none. */
export async function findLinked(db: Queryable, itemId: number): Promise<string | undefined> {
  const { rows } = await sql<{ body: string | null }>`
    select d.messages -> i.variant ->> 'body' as body from dispatch_items i
    join dispatches d on d.tenant_id = i.tenant_id and d.id = i.dispatch_id
    where i.tenant_id = app.tenant() and i.id = ${itemId} and i.sent_at is not null`.execute(db)
  return rows[0]?.body ?? undefined
}

/** Records that a recipient opened a link; only the first time counts. */
export async function markClicked(db: Tx, itemId: number, now: Date): Promise<void> {
  await sql`
    with marked as (
      update dispatch_items set clicked_at = ${now} where tenant_id = app.tenant() and id = ${itemId} and clicked_at is null
      returning dispatch_id)
    insert into dispatch_ticks (tenant_id, dispatch_id, counter, amount)
    select app.tenant(), dispatch_id, 'clicked', 1 from marked`.execute(db)
}

/** Returns ids of the connections on which recipients of a dispatch still wait. */
export async function connectionsOf(db: Queryable, dispatchId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct connection_id as id from dispatch_items
    where tenant_id = app.tenant() and dispatch_id = ${dispatchId} and state = 'waiting'`.execute(db)
  return rows.map(({ id }) => id)
}

/** Moves failed recipients back to waiting, each with a new message id; returns their number. */
export async function retryFailed(db: Tx, dispatchId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with held as (
      select id, dispatch_id, state as was from dispatch_items where tenant_id = app.tenant() and dispatch_id = ${dispatchId}
        and state = 'failed' order by id for update),
    moved as (
      update dispatch_items i set state = 'waiting', reason = '', state_at = ${now}, sent_at = null, message_id = gen_random_uuid()
      from held h where i.tenant_id = app.tenant() and i.id = h.id returning h.dispatch_id, h.was, i.state),
    counted as (${COUNTED} returning 1)
    select count(*)::int as n from moved`.execute(db)
  return rows[0]!.n
}

/** Returns contact ids by number, in any spelling (`app.line_of`). */
export async function contactsOfLines(db: Queryable, lines: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; id: number }>`
    select distinct on (app.line_of(c.number)) app.line_of(c.number) as key, coalesce(c.merged_into, c.id) as id from contacts c
    where c.tenant_id = app.tenant() and c.number is not null and not c.is_group and app.line_of(c.number) = any(${[...lines]}::text[])
    order by app.line_of(c.number), c.id`.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Erases number and own values of recipients; the recipients themselves stay. */
export const forgetRecipients: Forgetting = async ({ db }, { contactIds }) => {
  await sql`update dispatch_items set line = 'c' || id, own_values = null
    where tenant_id = app.tenant() and contact_id = any(${[...contactIds]}::bigint[])`.execute(db)
}
