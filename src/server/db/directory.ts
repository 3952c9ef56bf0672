import { sha256 } from '../secrets.ts'
import type { Tx } from './db.ts'

/** What the directory says about a key: login name, refresh token, one-time code, domain (decision B2). */
export async function findInDirectory(db: Tx, kind: string, key: string) {
  return db
    .selectFrom('directory')
    .innerJoin('tenants', 'tenants.id', 'directory.tenant_id')
    .select(['directory.tenant_id', 'directory.subject_id', 'directory.data', 'directory.expires_at', 'tenants.status'])
    .where('kind', '=', kind)
    .where('key_hash', '=', sha256(key))
    .executeTakeFirst()
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

/** Takes a one-time key out of the directory; only one caller gets it. */
export async function takeFromDirectory(db: Tx, kind: string, key: string) {
  return db
    .deleteFrom('directory')
    .where('kind', '=', kind)
    .where('key_hash', '=', sha256(key))
    .returning(['tenant_id', 'subject_id', 'data', 'expires_at'])
    .executeTakeFirst()
}

/** Removes what the directory says about one subject. */
export async function forgetSubject(db: Tx, kind: string, tenantId: number, subjectId: string): Promise<void> {
  await db
    .deleteFrom('directory')
    .where('kind', '=', kind)
    .where('tenant_id', '=', tenantId)
    .where('subject_id', '=', subjectId)
    .execute()
}
