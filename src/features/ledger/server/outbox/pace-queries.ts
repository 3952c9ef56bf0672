import { sql } from 'kysely'
import { type Pace, type PaceState, restedPace } from '#domain/connections/pace.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Returns a connection's recent sending, locked until the transaction ends. */
export async function lockPace(db: Tx, connectionId: number, pace: Pace, now: Date): Promise<PaceState> {
  const found = await findLocked(db, connectionId)
  if (found) return found
  await sql`insert into connection_paces (tenant_id, connection_id, tokens, filled_at)
    values (app.tenant(), ${connectionId}, ${pace.perMinute}, ${now}) on conflict do nothing`.execute(db)
  return (await findLocked(db, connectionId)) ?? restedPace(pace, now.getTime())
}

async function findLocked(db: Tx, connectionId: number): Promise<PaceState | undefined> {
  const { rows } = await sql<Record<'begun' | 'refused', number[]> & StoredPace>`
    select tokens, filled_at, begun, refused, halvings, slow_until from connection_paces
    where tenant_id = app.tenant() and connection_id = ${connectionId} for update`.execute(db)
  const [row] = rows
  return (
    row && {
      ...{ tokens: row.tokens, begun: row.begun, refused: row.refused, halvings: row.halvings },
      ...{ filledAt: row.filled_at.getTime(), slowUntil: row.slow_until?.getTime() ?? null },
    }
  )
}
type StoredPace = { tokens: number; filled_at: Date; halvings: number; slow_until: Date | null }

/** Stores the pace state of a connection. */
export async function storePace(db: Tx, connectionId: number, state: PaceState): Promise<void> {
  const { tokens, filledAt, begun, refused, halvings, slowUntil } = state
  await db
    .updateTable('connection_paces')
    .set({
      ...{
        tokens,
        halvings,
        filled_at: new Date(filledAt),
        slow_until: slowUntil === null ? null : new Date(slowUntil),
      },
      ...{ begun: JSON.stringify(begun), refused: JSON.stringify(refused) },
    })
    .where('connection_id', '=', connectionId)
    .execute()
}

/** Whether a conversation begins: the contact has not written in it, and no message of ours has left. */
export async function isBeginning(
  db: Queryable,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
): Promise<boolean> {
  const { rows } = await sql<{ begins: boolean }>`
    select not exists (
      select from tickets t join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
      where t.tenant_id = app.tenant() and t.connection_id = ${connectionId} and t.conversation_key = ${conversationKey}
        and (t.is_group or (not m.is_note and (not m.from_me or m.provider_id is not null)))) as begins`.execute(db)
  return firstOf(rows).begins
}

/** Whether the last step of a message's trail says that it waits for its turn. */
export async function hasWaitInTrail(db: Queryable, messageId: string): Promise<boolean> {
  const last = await db
    .selectFrom('message_trail')
    .select(sql<boolean>`detail -> 'isPaced' is not null`.as('paced'))
    .where('message_id', '=', messageId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return last?.paced ?? false
}
