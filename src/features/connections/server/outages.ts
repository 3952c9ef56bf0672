import { HEALTH_HOURS, type Health, healthOf } from '#domain/connections/health.ts'
import { lastOf } from '#domain/present.ts'
import type { Returned } from '#kit/contract.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { required } from '#kit/errors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { connections } from '../contract.ts'
import { findConnection, type StoredConnection } from './queries.ts'
import { listOutages, outagesSince } from './queries-outages.ts'

const PAGE = 30

/** Returns the hourly state of connections. */
export async function readHealth(
  { db, now }: ReadCtx,
  rows: readonly StoredConnection[],
): Promise<Map<number, Health>> {
  const outages = await outagesSince(db, new Date(now.getTime() - HEALTH_HOURS * 3_600_000))
  const byConnection = Map.groupBy(outages, ({ connection_id: id }) => id)
  return new Map(
    rows.map(({ id, first_connected_at: since }) => {
      const spans = (byConnection.get(id) ?? []).map(({ cause, began_at, ended_at }) => ({
        cause: cause,
        ...{ beganAt: began_at.getTime(), endedAt: ended_at?.getTime() ?? null },
      }))
      return [id, healthOf(spans, { since: since?.getTime() ?? null, now: now.getTime() })]
    }),
  )
}

/** Reads a page of a connection's outages, newest first. */
export async function readOutages(
  ctx: ReadCtx,
  id: number,
  cursor: string | undefined,
): Promise<Returned<typeof connections.outages>> {
  required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const before = cursor ? cursorParts(cursor, ['number'])[0] : null
  const rows = await listOutages(ctx.db, id, { before, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE)
  const hasMore = rows.length > PAGE
  return {
    outages: page.map((row) => ({
      ...{ id: row.id, cause: row.cause, beganAt: row.began_at, endedAt: row.ended_at },
      ...{ recovered: row.recovered, missing: row.missing },
    })),
    ...{ count: page.length, countIsCapped: hasMore, hasMore },
    nextCursor: hasMore ? encodeCursor([lastOf(page).id]) : null,
  }
}
