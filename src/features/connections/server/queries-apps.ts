import { sql } from 'kysely'
import type { StoredSecrets } from '#kit/provider.ts'
import { type Queryable, type Tx, transactionTime } from '#server/db/db.ts'

const apps = (db: Queryable) =>
  db.selectFrom('provider_apps').select(['id', 'channel', 'name', 'config', 'secrets', 'path', 'unclaimed_events'])

/** Stored app. */
export type StoredApp = Awaited<ReturnType<typeof listApps>>[number]

/** Returns the apps by name, at most two hundred. */
export const listApps = (db: Tx) => apps(db).orderBy('name').orderBy('id').limit(200).execute()

/** Locks and returns one app. */
export const lockApp = (db: Tx, id: number): Promise<StoredApp | undefined> =>
  apps(db).where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the app of a path, by the hash of the path. */
export const appOfPath = (db: Queryable, pathHash: Buffer) => apps(db).where('path_hash', '=', pathHash)

/** Stores a new app; returns its id. */
export async function insertApp(db: Tx, row: { channel: string; name: string; path_hash: Buffer }): Promise<number> {
  const now = transactionTime(db)
  const { id } = await db
    .insertInto('provider_apps')
    .values({ ...row, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates an app. */
export async function updateApp(
  db: Tx,
  id: number,
  { config, secrets, ...rest }: { name?: string; path?: string; config: object; secrets: StoredSecrets },
): Promise<void> {
  await db
    .updateTable('provider_apps')
    .set({
      ...rest,
      config: JSON.stringify(config),
      secrets: JSON.stringify(secrets),
      updated_at: transactionTime(db),
    })
    .where('id', '=', id)
    .execute()
}

/** Removes an app; returns false if it does not exist. */
export const deleteApp = async (db: Tx, id: number): Promise<boolean> =>
  (await db.deleteFrom('provider_apps').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n

/** Counts events of accounts without a connection. */
export async function countUnclaimed(db: Tx, id: number, events: number): Promise<void> {
  await db
    .updateTable('provider_apps')
    .set({ unclaimed_events: sql`unclaimed_events + ${events}` })
    .where('id', '=', id)
    .execute()
}
