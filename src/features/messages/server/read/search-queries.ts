import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { stands } from '#features/ledger/server/messages/index.ts'
import type { Queryable } from '#server/db/db.ts'
import type { MessageCursor } from './page-queries.ts'

/** Filters of a message search: all words, within one ticket or all, by period, author, kind and queue. */
export type Sought = {
  readonly parts: readonly string[]
  readonly ticketId: number | null
  readonly since: Date | null
  readonly until: Date | null
  readonly fromMe: boolean | null
  readonly userId: number | null
  readonly kinds: readonly string[] | null
  readonly queuesIds: readonly number[] | null
}

/** Message that a search has examined: a match (`isHit`, `visible` to the user), or merely the last one examined. */
export type Hit = { id: string; ticket_id: number; timestamp: Date; seq: number; isHit: boolean; visible: boolean }

/**
 * Returns up to `most` messages before a position that contain every search term, newest first; `visible` if their ticket
 * matches the filter. The last row is no hit if the search stopped early.
 */
export async function searchMessages(
  db: Queryable,
  sought: Sought,
  { visible, from, most }: { visible: RawBuilder<SqlBool>; from: MessageCursor | null; most: number },
): Promise<Hit[]> {
  const { parts, ticketId, since, until, fromMe, userId, kinds, queuesIds } = sought
  const inQueue = queuesIds ? sql`and tickets.queue_id = any(${queuesIds}::bigint[])` : sql``
  const start = sql`${from?.timestamp ?? null}::timestamptz, ${from?.seq ?? null}::bigint`
  const { rows } = await sql<Hit>`
    with found as materialized (select * from app.search_messages(${parts}::text[], ${ticketId}, ${since}::timestamptz, ${until}::timestamptz,
      ${fromMe}::boolean, ${userId}::bigint, ${kinds}::text[], ${start}, ${most}))
    select m.id, m.ticket_id, m.timestamp, m.seq, f.is_hit as "isHit", f.is_hit and not m.is_deleted and ${stands('m')} and exists (
      select from tickets where tickets.tenant_id = m.tenant_id and tickets.id = m.ticket_id and ${visible} ${inQueue} offset 0) as visible
    from messages m, lateral (select bool_or(is_hit) as is_hit from found where found.id = m.id) f
    where m.tenant_id = app.tenant() and m.id = any(array(select id from found))
    order by m.timestamp desc, m.seq desc`.execute(db)
  return rows
}
