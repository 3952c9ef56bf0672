import { type Insertable, sql, type Updateable } from 'kysely'
import type { Sessions } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'

/** Finds a session row, locked until the end of the transaction. */
export async function lockSession(db: Tx, id: string) {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Stores a new session. */
export async function insertSession(db: Tx, row: Insertable<Sessions>): Promise<void> {
  await db.insertInto('sessions').values(row).execute()
}

/** Updates a session. */
export async function updateSession(db: Tx, id: string, change: Updateable<Sessions>): Promise<void> {
  await db.updateTable('sessions').set(change).where('id', '=', id).execute()
}

/** Selection of a user's active sessions: all, `only` one, or all `but` one. */
export type Which = { only?: string; but?: string }

/** Ends active sessions of a user; returns their ids. */
export async function endLivingSessions(
  db: Tx,
  userId: number,
  at: Date,
  { only, but }: Which = {},
): Promise<string[]> {
  const ended = await db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where((w) =>
      w.and([...(only === undefined ? [] : [w('id', '=', only)]), ...(but === undefined ? [] : [w('id', '!=', but)])]),
    )
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Sets an expiry that no refresh extends for a user's active sessions without one. */
export async function endSessionsAt(db: Tx, userId: number, at: Date, endsAt: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set((eb) => ({ ends_at: endsAt, expires_at: eb.fn('least', ['expires_at', eb.val(endsAt)]) }))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where('ends_at', 'is', null)
    .execute()
}

/** Whether a user has an active session; support sessions by master key do not count. */
export async function hasSession(db: Queryable, userId: number, at: Date): Promise<boolean> {
  const query = db.selectFrom('sessions').select('id').where('user_id', '=', userId).where('method', '!=', 'masterkey')
  return (await query.where('revoked_at', 'is', null).where('expires_at', '>', at).executeTakeFirst()) !== undefined
}

/** Removes ended and expired sessions. */
export const removeSessions: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from sessions where tenant_id = ${tenantId} and id in (
      select id from sessions where tenant_id = ${tenantId} and least(revoked_at, expires_at) < ${before} limit ${most})`,
  )

/** Marks that a user came or left. */
export async function markPresence(
  db: Tx,
  userId: number,
  change: { is_online: boolean; last_login?: Date; last_logout?: Date },
): Promise<void> {
  await db.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Invalidates all access tokens of a user; returns the new token version. */
export async function bumpTokenVersion(db: Tx, userId: number): Promise<number> {
  const row = await db
    .updateTable('users')
    .set({ token_version: sql`token_version + 1` })
    .where('id', '=', userId)
    .returning('token_version')
    .executeTakeFirstOrThrow()
  return row.token_version
}
