import { sql } from 'kysely'
import { firstOf, itemAt, lookUp } from '#domain/present.ts'
import { sha256 } from '../secrets.ts'
import type { Queryable, Tx } from './db.ts'
import { type Removal, removed } from './removal.ts'

/** Returns the directory entry of a key: login name, refresh token, one-time code, domain (decision B2). */
export const findInDirectory = (db: Queryable, kind: string, key: string) =>
  inDirectory(db, kind, key)
    .select(['directory.tenant_id', 'directory.subject_id', 'directory.data', 'directory.expires_at', 'tenants.status'])
    .executeTakeFirst()

/** Finds an entry by the hash of its key, in hexadecimal. */
export const findByHash = (db: Queryable, kind: string, hash: string) =>
  byHash(db, kind, Buffer.from(hash, 'hex'))
    .select(['directory.tenant_id', 'directory.subject_id', 'directory.data', 'tenants.status'])
    .executeTakeFirst()

/** Selects the directory entry of a key, with its company. */
export const inDirectory = (db: Queryable, kind: string, key: string) => byHash(db, kind, sha256(key))

const byHash = (db: Queryable, kind: string, hash: Buffer) =>
  db
    .selectFrom('directory')
    .innerJoin('tenants', 'tenants.id', 'directory.tenant_id')
    .where('kind', '=', kind)
    .where('key_hash', '=', hash)

/** Returns the directory entries of several keys of active companies, by key. */
export async function findManyInDirectory(
  db: Queryable,
  kind: string,
  keys: readonly string[],
): Promise<Map<string, { tenantId: number; subjectId: string }>> {
  const hashes = new Map(keys.map((key) => [sha256(key).toString('hex'), key]))
  const { rows } = await sql<{ key_hash: Buffer; tenantId: number; subjectId: string }>`
    select key_hash, tenant_id as "tenantId", subject_id as "subjectId" from directory
    where kind = ${kind} and key_hash = any(${keys.map((key) => sha256(key))}::bytea[])
      and exists (select from tenants t where t.id = tenant_id and t.status = 'active')`.execute(db)
  return new Map(rows.map(({ key_hash, ...of }) => [lookUp(hashes, key_hash.toString('hex')), of]))
}

/** Writes a key into the directory; writing the same again changes nothing. */
export async function addToDirectory(
  db: Tx,
  entry: { kind: string; key: string; tenantId: number; subjectId: string; data?: object; expiresAt?: Date },
): Promise<void> {
  await db
    .insertInto('directory')
    .values({
      kind: entry.kind,
      key_hash: sha256(entry.key),
      tenant_id: entry.tenantId,
      subject_id: entry.subjectId,
      data: JSON.stringify(entry.data ?? {}),
      expires_at: entry.expiresAt ?? null,
    })
    .onConflict((c) => c.columns(['kind', 'key_hash']).doNothing())
    .execute()
}

/** Removes a one-time key from the directory and returns it; only one caller gets it. */
export async function takeFromDirectory(db: Tx, kind: string, key: string) {
  return db
    .deleteFrom('directory')
    .where('kind', '=', kind)
    .where('key_hash', '=', sha256(key))
    .returning(['tenant_id', 'subject_id', 'data', 'expires_at'])
    .executeTakeFirst()
}

/** Deletes a subject's directory entries. */
export async function forgetSubject(db: Tx, kind: string, tenantId: number, subjectId: string): Promise<void> {
  await db
    .deleteFrom('directory')
    .where('kind', '=', kind)
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', subjectId)
    .execute()
}

/** Limits the lifetime of one subject's directory entries to a moment; entries that end earlier are unchanged. */
export async function endSubjectAt(db: Tx, kind: string, tenantId: number, subjectId: string, at: Date): Promise<void> {
  await db
    .updateTable('directory')
    .set({ expires_at: sql`least(coalesce(expires_at, 'infinity'::timestamptz), ${at}::timestamptz)` })
    .where('kind', '=', kind)
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', subjectId)
    .execute()
}

/**
 * Sets the keys of a user or channel of the unit's tenant, within the unit's transaction; returns those that belong to
 * others (decision 0009). Entries of 'oidc' can only be removed.
 */
export async function saveInDirectory(
  db: Tx,
  kind: 'login' | 'invite' | 'mailed_invite' | 'email' | 'webchat_channel' | 'webhook' | 'account' | 'oidc',
  id: number,
  keys: readonly string[],
  until: Date | null = null,
): Promise<string[]> {
  const hashes = keys.map((key) => sha256(key))
  const { rows } = await sql<{ taken: Buffer[] }>`select app.keep_in_directory(
    ${kind}::text, ${id}::bigint, ${hashes}::bytea[], ${until}::timestamptz) as taken`.execute(db)
  const taken = new Set(firstOf(rows).taken.map((hash) => hash.toString('hex')))
  return keys.filter((_, index) => taken.has(itemAt(hashes, index).toString('hex')))
}

/** Deletes expired keys of the directory, of every company: refresh tokens, invitations, codes, challenges. */
export const removeKeys: Removal = (db, before, most) =>
  removed(
    db,
    sql`delete from directory where (kind, key_hash) in (
      select kind, key_hash from directory where expires_at < ${before} order by expires_at limit ${most})`,
  )
