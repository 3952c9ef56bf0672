import { sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable } from '#server/db/db.ts'
import type { FlowOfTurn } from './queries-turns.ts'

/** Whether a session of a chat flow waits for the answer to a call. */
export async function isAwaitedBy(db: Queryable, { sessionId, callId }: FlowOfTurn): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select from flow_sessions where id = ${sessionId}::uuid and ended_at is null
      and state->'waiting'->>'id' = ${callId}) as "isThere"`.execute(db)
  return firstOf(rows).isThere
}

/** Counts the customer messages queued in a chat flow's session. */
export async function countUnheard(db: Queryable, sessionId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(jsonb_array_length(state->'inbox'), 0) as count from flow_sessions where id = ${sessionId}::uuid`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
