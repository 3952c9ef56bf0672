import { sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { Lease } from './queries-leases.ts'

/** Request to a connection that another process holds; `about` encrypted. */
export type StoredRequest = { readonly id: string; readonly question: string; readonly about: string }

/** Stores a request until `expiresAt`; deletes expired ones. */
export async function insertRequest(
  db: Tx,
  {
    id,
    connectionId,
    question,
    about,
    now,
    expiresAt,
  }: StoredRequest & { connectionId: number; now: Date; expiresAt: Date },
): Promise<void> {
  await db.deleteFrom('connection_requests').where('expires_at', '<', now).execute()
  await db
    .insertInto('connection_requests')
    .values({
      ...{ tenant_id: sql`app.tenant()`, id, connection_id: connectionId, question, about },
      ...{ asked_at: now, expires_at: expiresAt },
    })
    .execute()
}

/** Question that must not be answered twice. */
const ONCE = 'createGroup'

/** Claims a connection's requests that were not claimed under this lease; creations of groups are claimed once. */
export async function claimRequests(db: Tx, { connectionId, epoch }: Lease, now: Date): Promise<StoredRequest[]> {
  return db
    .updateTable('connection_requests')
    .set({ claimed_epoch: epoch })
    .where('connection_id', '=', connectionId)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .where((e) =>
      e.or([e('claimed_epoch', 'is', null), e.and([e('claimed_epoch', '<>', epoch), e('question', '<>', ONCE)])]),
    )
    .returning(['id', 'question', 'about'])
    .execute()
}

/** Stores the answer to a request. */
export const writeAnswer = async (db: Tx, id: string, answer: string): Promise<void> =>
  void (await db.updateTable('connection_requests').set({ answer }).where('id', '=', id).execute())

/** Returns the answer to a request; null if there is none yet. */
export const findAnswer = async (db: Queryable, id: string): Promise<string | null> =>
  (await db.selectFrom('connection_requests').select('answer').where('id', '=', id).executeTakeFirst())?.answer ?? null

/** Removes a request, answered or not. */
export const removeRequest = async (db: Tx, id: string): Promise<void> =>
  void (await db.deleteFrom('connection_requests').where('id', '=', id).execute())
