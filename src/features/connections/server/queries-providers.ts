import { sql } from 'kysely'
import type { StoredValues } from '#kit/provider.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** The part of the installation that has what it filled in of a provider. */
export const partOf = (provider: string): string => `provider:${provider}`

/** What the company filled in of a provider. */
export async function findSettings(db: Queryable, provider: string): Promise<StoredValues | undefined> {
  const row = await db
    .selectFrom('provider_settings')
    .select(['config', 'secrets'])
    .where('provider', '=', provider)
    .executeTakeFirst()
  return row as StoredValues | undefined
}

/** The same, locked until the transaction ends. */
export async function lockSettings(db: Tx, provider: string): Promise<StoredValues | undefined> {
  const { rows } = await sql<StoredValues>`
    select config, secrets from provider_settings where tenant_id = app.tenant() and provider = ${provider} for update`.execute(
    db,
  )
  return rows[0]
}

/** The providers of which the company has filled in something. */
export const filledProviders = async (db: Queryable): Promise<string[]> =>
  (await db.selectFrom('provider_settings').select('provider').execute()).map(({ provider }) => provider)

/** Keeps what the company filled in of a provider, in place of what was there. */
export async function storeSettings(
  db: Tx,
  provider: string,
  { config, secrets }: StoredValues,
  now: Date,
): Promise<void> {
  const values = { config: JSON.stringify(config), secrets: JSON.stringify(secrets), updated_at: now }
  await db
    .insertInto('provider_settings')
    .values({ tenant_id: sql<number>`app.tenant()`, provider, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'provider']).doUpdateSet(values))
    .execute()
}

/** What the installation filled in of a provider, as it stands; nobody else changes it until the transaction ends. */
export async function lockInstallationSettings(db: Tx, provider: string): Promise<StoredValues | undefined> {
  const { rows } = await sql<{ stored: StoredValues | null }>`
    select data -> ${partOf(provider)}::text as stored from installation for update`.execute(db)
  return rows[0]?.stored ?? undefined
}

/** The keys with which secrets of providers are encrypted; as the platform. */
export async function keysOfProviders(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct split_part(secret.value ->> 'encrypted', '.', 1) as key from (
      select secrets from provider_settings
      union all select part.value -> 'secrets' from installation, jsonb_each(data) part where part.key like 'provider:%'
    ) stored, jsonb_each(stored.secrets) secret`.execute(db)
  return rows.map(({ key }) => key)
}
