import { sql } from 'kysely'
import type { SecondFactors } from '#domain/access/second-factor.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Finds a user's second factors and recovery codes. */
export async function findFactors(db: Queryable, userId: number): Promise<SecondFactors & { since: Date | null }> {
  const { rows } = await sql<SecondFactors & { since: Date | null }>`
    select f.secret is not null as "hasApp", coalesce(jsonb_array_length(f.recovery), 0) as "recoveryLeft",
      f.confirmed_at as since, (select count(*) from passkeys p where p.user_id = ${userId}) as passkeys
    from (select ${userId}::bigint as id) u left join second_factors f on f.user_id = u.id`.execute(db)
  return firstOf(rows)
}

/** Finds a user's app, locked until the end of the transaction. */
export const lockApp = (db: Tx, userId: number) =>
  db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()

/** Stores a secret that waits for its first code; an active one remains active meanwhile. */
export async function savePending(db: Tx, userId: number, pending: string): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({ tenant_id: sql`app.tenant()`, user_id: userId, pending })
    .onConflict((c) => c.columns(['tenant_id', 'user_id']).doUpdateSet({ pending }))
    .execute()
}

/** Updates a user's app. */
export async function updateApp(
  db: Tx,
  userId: number,
  change: { secret?: string; pending?: null; last_step?: number; recovery?: string[]; confirmed_at?: Date },
): Promise<void> {
  const { recovery, ...rest } = change
  await db
    .updateTable('second_factors')
    .set({ ...rest, ...(recovery ? { recovery: JSON.stringify(recovery) } : {}) })
    .where('user_id', '=', userId)
    .execute()
}

/** Deletes the app and its recovery codes; returns false if none was active. */
export async function deleteApp(db: Tx, userId: number): Promise<boolean> {
  const gone = await db.deleteFrom('second_factors').where('user_id', '=', userId).returning('secret').execute()
  return gone.some(({ secret }) => secret !== null)
}

/** Deletes all passkeys of a user. */
export async function deletePasskeys(db: Tx, userId: number): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Finds a user of the company, with the data for password checks and the app's label. */
export const findPerson = (db: Queryable, userId: number) =>
  db
    .selectFrom('users')
    .select(['name', 'email', 'profile', 'password_hash', 'token_version'])
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .executeTakeFirst()

const ownPasskeys = (db: Queryable, userId: number) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId)

/** Returns a user's passkeys, oldest first. */
export const listPasskeys = (db: Queryable, userId: number) => ownPasskeys(db, userId).orderBy('id').execute()

/** Finds the passkey of a login. */
export const findPasskey = (db: Queryable, userId: number, credentialId: string) =>
  ownPasskeys(db, userId).where('credential_id', '=', credentialId).executeTakeFirst()

/** Stores a passkey. */
export const insertPasskey = (
  db: Tx,
  row: {
    user_id: number
    name: string
    rp_id: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string
    is_backed_up: boolean
  },
) =>
  db
    .insertInto('passkeys')
    .values({ ...row, tenant_id: sql`app.tenant()` })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Renames the user's own passkey. */
export const renamePasskey = (db: Tx, userId: number, id: number, name: string) =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()

/** Records a login with a passkey. */
export async function markPasskey(db: Tx, id: number, change: { counter: number; last_used_at: Date }): Promise<void> {
  await db.updateTable('passkeys').set(change).where('id', '=', id).execute()
}

/** Removes one's own passkey; answers its name. */
export const deletePasskey = (db: Tx, userId: number, id: number) =>
  db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).returning('name').executeTakeFirst()

/** Returns the names of the keys that encrypt apps' secrets. */
export async function keysOfSecrets(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(sealed, '.', 1) as key from second_factors
    cross join lateral (values (secret), (pending)) as kept (sealed) where sealed is not null`.execute(db)
  return rows.map((row) => row.key)
}

/** Deletes the second factors of a user who leaves. */
export async function forgetFactors(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('second_factors').where('user_id', '=', id).execute()
  await db.deleteFrom('passkeys').where('user_id', '=', id).execute()
}
