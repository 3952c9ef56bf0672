import { sql } from 'kysely'
import type { Queryable, Tx } from '../db/db.ts'
import { type CompanyRemoval, removed } from '../db/removal.ts'

/** User of a login, and the present time. */
type Of = { readonly userId: number; readonly now: Date }

/** Stores that a user begins a provider login. */
export async function insertSignup(
  db: Tx,
  {
    userId,
    provider,
    stateHash,
    expiresAt,
  }: Pick<Of, 'userId'> & { provider: string; stateHash: Buffer; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('provider_signups')
    .values({
      ...{ tenant_id: sql<number>`app.tenant()`, user_id: userId, provider },
      ...{ state_hash: stateHash, expires_at: expiresAt },
    })
    .execute()
}

/** Takes the returned state of a login: valid once, for its user, until it expires. */
export async function takeState(
  db: Tx,
  { userId, stateHash, now }: Of & { stateHash: Buffer },
): Promise<{ id: number; provider: string } | undefined> {
  return db
    .updateTable('provider_signups')
    .set({ state_hash: null })
    .where('state_hash', '=', stateHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .returning(['id', 'provider'])
    .executeTakeFirst()
}

/** Stores the accounts that may be connected after a login, encrypted. */
export async function saveAccounts(db: Tx, id: number, accounts: string, expiresAt: Date): Promise<void> {
  await db.updateTable('provider_signups').set({ accounts, expires_at: expiresAt }).where('id', '=', id).execute()
}

/** Finds a user's returned login. */
export const findSignup = (db: Queryable, id: number, { userId, now }: Of) =>
  db
    .selectFrom('provider_signups')
    .select(['id', 'provider', 'accounts'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('accounts', 'is not', null)
    .executeTakeFirst()

/** Returns the names of the keys that encrypt logins' accounts; requires platform database access. */
export const keysOfSignups = async (db: Tx): Promise<string[]> => {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(accounts, '.', 1) as key from provider_signups where accounts is not null`.execute(db)
  return rows.map(({ key }) => key)
}

/** Removes expired logins with their accounts. */
export const removeSignups: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from provider_signups where tenant_id = ${tenantId} and id in
      (select id from provider_signups where tenant_id = ${tenantId} and expires_at < ${before} limit ${most})`,
  )
