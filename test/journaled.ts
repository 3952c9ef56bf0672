import { sql } from 'kysely'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Queryable } from '#server/db/db.ts'

/** What the journal has taken in, in its order: what waits, what was put aside, and what was processed. */
export async function journaled(db: Queryable) {
  const { rows } = await sql<{
    connection_id: number
    dedupe_key: string
    payload: ProviderEvent
  }>`select connection_id, dedupe_key, payload from journal_all order by seq`.execute(db)
  return rows
}
