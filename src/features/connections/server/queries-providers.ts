import { sql } from 'kysely'
import type { StoredValues } from '#kit/provider.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { filledProviders, findValues, lockValues } from '#server/providers/queries.ts'

/** Returns the name of a provider's part in the installation's settings. */
export const partOf = (provider: string): string => `provider:${provider}`

const KIND = 'channel'

/** Returns the company's settings of a provider. */
export const findSettings = (db: Queryable, provider: string) => findValues(db, KIND, provider)

/** Returns and locks the company's settings of a provider. */
export const lockSettings = (db: Tx, provider: string) => lockValues(db, KIND, provider)

/** Returns the channel providers for which the company has settings. */
export const filledChannels = (db: Queryable) => filledProviders(db, KIND)

/** Returns the installation's settings of a provider, locked until the transaction ends. */
export async function lockInstallationSettings(db: Tx, provider: string): Promise<StoredValues | undefined> {
  const { rows } = await sql<{ stored: StoredValues | null }>`
    select data -> ${partOf(provider)}::text as stored from installation for update`.execute(db)
  return rows[0]?.stored ?? undefined
}
