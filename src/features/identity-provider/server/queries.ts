import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'

/** Returns the name of the key that encrypts the client secret. */
export async function keysOfProvider(db: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select split_part(data #>> '{identityProvider,sealed}', '.', 1) as key from installation
    where data #>> '{identityProvider,sealed}' is not null`.execute(db)
  return rows.map((row) => row.key)
}
