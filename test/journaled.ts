import { sql } from 'kysely'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Queryable } from '#server/db/db.ts'

/** Returns all events of the journal in order: waiting, set aside and processed. */
export async function journaled(db: Queryable) {
  const { rows } = await sql<{
    connection_id: number
    dedupe_key: string
    payload: ProviderEvent
  }>`select connection_id, dedupe_key, payload from journal_all order by seq`.execute(db)
  return rows
}
