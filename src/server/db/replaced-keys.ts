import { sql } from 'kysely'
import type { Tx } from './db.ts'

/** Retires visitors' tokens that were issued without a proof; returns their hashes. Requires platform database access. */
export async function retireTokens(
  db: Tx,
  kind: string,
  tenantId: number,
  visitorIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`update directory set data = data || '{"isRetired": true}'
    where tenant_id = ${tenantId} and kind = ${kind} and subject_id = any(${visitorIds}::text[]) and not data ? 'isProven'
    returning encode(key_hash, 'hex') as hash`.execute(db)
  return rows.map(({ hash }) => hash)
}

/** Deletes the retired tokens of visitors, because their replacements are in use; returns their hashes. */
export async function removeRetired(
  db: Tx,
  kind: string,
  tenantId: number,
  visitorIds: readonly string[],
  usedHash: string,
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`delete from directory
    where tenant_id = ${tenantId} and kind = ${kind} and subject_id = any(${visitorIds}::text[]) and data ? 'isRetired'
    returning encode(key_hash, 'hex') as hash`.execute(db)
  await sql`update directory set data = data - 'retires' where kind = ${kind} and key_hash = decode(${usedHash}, 'hex')`.execute(
    db,
  )
  return rows.map(({ hash }) => hash)
}
