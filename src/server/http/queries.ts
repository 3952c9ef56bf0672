import { sql } from 'kysely'
import type { Queryable, Tx } from '../db/db.ts'
import { type CompanyRemoval, removed } from '../db/removal.ts'
import type { Forgetting } from '../forgetting.ts'

/** Claims a key; returns the earlier use if there was one within a day. Waits for a use in another open transaction. */
export async function findIdempotent(db: Tx, userId: number, key: string, operation: string, bodyHash: string) {
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ tenant_id: sql`app.tenant()`, user_id: userId, key, operation, body_hash: bodyHash })
    .onConflict((c) =>
      c
        .columns(['tenant_id', 'user_id', 'key'])
        .doUpdateSet({ operation, body_hash: bodyHash, answer: null, created_at: sql`app.now()` })
        .where('idempotency_keys.created_at', '<', sql<Date>`app.now() - interval '24 hours'`),
    )
    .returning('key')
    .executeTakeFirst()
  if (claimed) return null
  return db
    .selectFrom('idempotency_keys')
    .select(['operation', 'body_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

/** Stores the answer for repeated requests. */
export async function saveIdempotent(db: Tx, userId: number, key: string, value: unknown): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify({ value: value ?? null }) })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .execute()
}

/** Returns how a session was opened, and whether its user is support. */
export async function findSessionFacts(db: Queryable, id: string): Promise<{ method: string; is_support: boolean }> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'sessions.tenant_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select(['sessions.method', 'users.is_support'])
    .where('sessions.id', '=', id)
    .executeTakeFirst()
  return found ?? { method: '', is_support: false }
}

/** Deletes stored answers of repeated requests. */
export const removeIdempotencyKeys: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from idempotency_keys where tenant_id = ${tenantId} and (user_id, key) in (
      select user_id, key from idempotency_keys where tenant_id = ${tenantId} and created_at < ${before} limit ${most})`,
  )

/** Erases stored answers of idempotent requests that name the person. */
export const forgetAnswers: Forgetting = async ({ db }, { identifiers }) => {
  await sql`delete from idempotency_keys where exists (
    select from unnest(${[...identifiers]}::text[]) w where position(w in answer::text) > 0)`.execute(db)
}
