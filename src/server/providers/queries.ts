import { type Selectable, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { StoredValues } from '#kit/provider.ts'
import type { Queryable, Tx } from '../db/db.ts'

/** Stored account; `config` and `secrets` are `StoredValues`. */
export type StoredAccount = Omit<Selectable<DB['provider_settings']>, 'tenant_id'>

const columns = [
  ...(['id', 'kind', 'provider', 'name', 'config', 'secrets', 'is_active', 'is_default', 'state'] as const),
  ...(['created_at', 'updated_at'] as const),
] as const

/** Returns the values of the only account of a kind at a provider. */
export async function findValues(db: Queryable, kind: string, provider: string): Promise<StoredValues | undefined> {
  const row = await db
    .selectFrom('provider_settings')
    .select(['config', 'secrets'])
    .where('kind', '=', kind)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row
}

/** Returns the values of the only account of a kind at a provider, locked until the transaction ends. */
export async function lockValues(db: Tx, kind: string, provider: string): Promise<StoredValues | undefined> {
  const { rows } = await sql<StoredValues>`
    select config, secrets from provider_settings
    where tenant_id = app.tenant() and kind = ${kind} and provider = ${provider} for update`.execute(db)
  return rows[0]
}

/** Returns the providers of a kind for which the company has an account. */
export const filledProviders = async (db: Queryable, kind: string): Promise<string[]> =>
  (await db.selectFrom('provider_settings').select('provider').where('kind', '=', kind).execute()).map(
    ({ provider }) => provider,
  )

/** Stores the values of a channel's provider, replacing the company's only account of it. */
export async function storeChannelValues(
  db: Tx,
  provider: string,
  { config, secrets }: StoredValues,
  now: Date,
): Promise<void> {
  const values = { config: JSON.stringify(config), secrets: JSON.stringify(secrets), updated_at: now }
  await db
    .insertInto('provider_settings')
    .values({ tenant_id: sql<number>`app.tenant()`, kind: 'channel', provider, created_at: now, ...values })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'provider']).where('kind', '=', sql.lit('channel')).doUpdateSet(values),
    )
    .execute()
}

/** Returns the accounts of a kind, the default of each provider first. */
export const listAccounts = (db: Queryable, kind: string): Promise<StoredAccount[]> =>
  db
    .selectFrom('provider_settings')
    .select(columns)
    .where('kind', '=', kind)
    .orderBy('provider')
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute()

/** Returns an account of a kind. */
export const findAccount = (db: Queryable, kind: string, id: number): Promise<StoredAccount | undefined> =>
  db.selectFrom('provider_settings').select(columns).where('kind', '=', kind).where('id', '=', id).executeTakeFirst()

/** Returns an account of a kind, locked until the transaction ends. */
export const lockAccount = (db: Tx, kind: string, id: number): Promise<StoredAccount | undefined> =>
  db
    .selectFrom('provider_settings')
    .select(columns)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Creates an empty account and returns its id, to which its secrets are bound. */
export async function insertAccount(
  db: Tx,
  { kind, provider, name, now }: { kind: string; provider: string; name: string; now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('provider_settings')
    .values({ tenant_id: sql<number>`app.tenant()`, kind, provider, name, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes of an account. */
export type AccountChange = {
  readonly name?: string
  readonly isActive?: boolean
  readonly isDefault?: boolean
  readonly values?: StoredValues
  readonly state?: object
}

/** Updates an account. */
export async function updateAccount(db: Tx, id: number, change: AccountChange, now: Date): Promise<void> {
  const { name, isActive, isDefault, values, state } = change
  await db
    .updateTable('provider_settings')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(isActive === undefined ? {} : { is_active: isActive }),
      ...(isDefault === undefined ? {} : { is_default: isDefault }),
      ...(values ? { config: JSON.stringify(values.config), secrets: JSON.stringify(values.secrets) } : {}),
      ...(state ? { state: JSON.stringify(state) } : {}),
      ...(state && Object.keys(change).length === 1 ? {} : { updated_at: now }),
    })
    .where('id', '=', id)
    .execute()
}

/** Sets an account as its provider's default, in place of the previous one. */
export async function chooseDefaultAccount(db: Tx, kind: string, provider: string, id: number): Promise<void> {
  await sql`update provider_settings set is_default = false
    where tenant_id = app.tenant() and kind = ${kind} and provider = ${provider} and is_default and id <> ${id}`.execute(
    db,
  )
  await sql`update provider_settings set is_default = true
    where tenant_id = app.tenant() and kind = ${kind} and id = ${id}`.execute(db)
}

/** Removes an account; false when it is not there. */
export async function deleteAccount(db: Tx, kind: string, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('provider_settings')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the ids of the keys that encrypt secrets of providers; platform role. */
export async function keysOfProviders(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(secret.value ->> 'encrypted', '.', 1) as key from (
      select secrets from provider_settings
      union all select part.value -> 'secrets' from installation, jsonb_each(data) part where part.key like 'provider:%'
    ) stored, jsonb_each(stored.secrets) secret`.execute(db)
  return rows.map(({ key }) => key)
}
