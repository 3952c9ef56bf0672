import { sql } from 'kysely'
import { sha256 } from '../secrets.ts'
import type { Tx } from './db.ts'

const LOGIN = 'login'

/** Account that gains or loses a login name; requires platform database access. */
export type Holder = { tenantId: number; userId: number }

/** Locks a login name until the end of the transaction and returns its owner; a free one goes to the asker. */
export async function lockLogin(db: Tx, name: string, asker: Holder): Promise<Holder> {
  const key = sha256(name)
  await db
    .insertInto('directory')
    .values({ kind: LOGIN, key_hash: key, tenant_id: asker.tenantId, subject_id: String(asker.userId) })
    .onConflict((c) => c.columns(['kind', 'key_hash']).doNothing())
    .execute()
  const row = await db
    .selectFrom('directory')
    .select(['tenant_id', 'subject_id'])
    .where('kind', '=', LOGIN)
    .where('key_hash', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { tenantId: row.tenant_id, userId: Number(row.subject_id) }
}

/** Assigns a login name to an account, whatever account had it. */
export async function moveLogin(db: Tx, name: string, to: Holder): Promise<void> {
  await db
    .updateTable('directory')
    .set({ tenant_id: to.tenantId, subject_id: String(to.userId) })
    .where('kind', '=', LOGIN)
    .where('key_hash', '=', sha256(name))
    .execute()
}

/** Removes all login names of an account except these. */
export async function removeOtherLogins(db: Tx, { tenantId, userId }: Holder, names: readonly string[]): Promise<void> {
  await sql`delete from directory where tenant_id = ${tenantId} and kind = ${LOGIN}
    and subject_id = ${String(userId)} and key_hash <> all (${names.map((name) => sha256(name))}::bytea[])`.execute(db)
}

/** Directory entry of a login whose second step is awaited. */
export type AwaitedStep = { tenant_id: number; subject_id: string; data: unknown }

/** Counts an attempt at an awaited login step; returns null if it has expired, or had its maximum of attempts. */
export async function countTry(
  db: Tx,
  kind: string,
  key: string,
  now: Date,
  most: number,
): Promise<AwaitedStep | null> {
  const { rows } = await sql<AwaitedStep>`
    update directory set data = data || jsonb_build_object('tries', (data->>'tries')::int + 1)
    where kind = ${kind} and key_hash = ${sha256(key)} and expires_at > ${now} and (data->>'tries')::int < ${most}
    returning tenant_id, subject_id, data`.execute(db)
  return rows[0] ?? null
}

/** Writes a key that may be there once only; false when it was there before. The person's expired ones are removed. */
export async function writeOnce(
  db: Tx,
  entry: { kind: string; key: string; tenantId: number; userId: number; data?: object; expiresAt: Date; now: Date },
): Promise<boolean> {
  await db
    .deleteFrom('directory')
    .where('tenant_id', '=', entry.tenantId)
    .where('kind', '=', entry.kind)
    .where('subject_id', '=', String(entry.userId))
    .where('expires_at', '<', entry.now)
    .execute()
  const written = await db
    .insertInto('directory')
    .values({
      kind: entry.kind,
      key_hash: sha256(entry.key),
      tenant_id: entry.tenantId,
      subject_id: String(entry.userId),
      data: JSON.stringify(entry.data ?? {}),
      expires_at: entry.expiresAt,
    })
    .onConflict((c) => c.columns(['kind', 'key_hash']).doNothing())
    .returning('kind')
    .execute()
  return written.length > 0
}
