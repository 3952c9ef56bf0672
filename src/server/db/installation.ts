import { sql } from 'kysely'
import { fieldIn } from '#domain/keys.ts'
import type { Database, Tx } from './db.ts'

/** Settings of the whole installation by feature; each feature validates its own part. */
export type Installation = Readonly<Record<string, unknown>>

/** Reads it for the cache. */
export async function loadInstallation(db: Database): Promise<Installation> {
  const row = await db.asPlatform((tx) => tx.selectFrom('installation').select('data').executeTakeFirstOrThrow())
  return row.data
}

/** Sets one part of the installation's settings, or deletes it (null); every process reloads them after the commit. */
export async function changeInstallation(db: Tx, name: string, value: object | null): Promise<void> {
  const data = value
    ? sql`data || jsonb_build_object(${name}::text, ${JSON.stringify(value)}::jsonb)`
    : sql`data - ${name}::text`
  await sql`update installation set data = ${data}`.execute(db)
  await sql`select pg_notify('guiche_stale', 'installation all')`.execute(db)
}

/** Key of the installation's part with the id of its master key. */
export const ENCRYPTION_KEY = 'encryptionKey'

/** Key of the installation's part with the format of recorded changes. */
export const CHANGES = 'changes'

/** Whether every release that may run on this database reads packed changes (decision 0042). */
export const packsChanges = (installation: Installation): boolean => fieldIn(installation[CHANGES], 'packed') === true

/** Formats the error on data that were encrypted with another master key, both by id. */
export const otherKeyProblem = (other: string, own: string): string =>
  `Os dados são de outra chave mestra (${other}; a atual é ${own}): ` +
  'traga de volta a chave anterior em DATA_DIR/secret.key, SECRET_KEY ou SECRET_KEY_FILE.'
