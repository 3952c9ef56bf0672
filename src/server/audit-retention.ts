import { sql } from 'kysely'
import { fieldIn } from '#domain/keys.ts'
import { type Chain, lockTail, saveTail } from './audit-chain.ts'
import type { Queryable, Tx } from './db/db.ts'
import type { Secrets } from './secrets.ts'

/** Returns every log that has records. */
export async function listChains(db: Tx): Promise<Chain[]> {
  const tails = await db.selectFrom('audit_heads').select('tenant_id').orderBy('tenant_id').execute()
  return ['platform', ...tails.map(({ tenant_id }) => tenant_id)]
}

/**
 * Removes the records at the beginning of a chain that are older than five years (by the database's clock) and signs its new
 * base; returns the number of the last removed record, or null.
 */
export async function expireChain(db: Tx, secrets: Secrets, chain: Chain): Promise<number | null> {
  const log = chain === 'platform' ? sql.table('platform_audit_log') : sql.table('audit_log')
  const own = chain === 'platform' ? sql`true` : sql`tenant_id = ${chain}`
  const tail = await lockTail(db, chain)
  const { rows } = await sql<{
    seq: number
    hash: Buffer
  }>`select seq, hash from ${log} where ${own} and seq < coalesce(
      (select seq from ${log} where ${own} and at >= now() - interval '5 years' order by seq limit 1), ${tail.last_seq + 1})
    order by seq desc limit 1`.execute(db)
  const [last] = rows
  if (!last) return null
  await sql`select set_config('app.audit_retention', 'on', true)`.execute(db)
  await sql`delete from ${log} where ${own} and seq <= ${last.seq}`.execute(db)
  await saveTail(db, secrets, chain, { ...tail, base_seq: last.seq, base_hash: last.hash })
  return last.seq
}

/** End of a company's log at some time: number and hash of its last record. */
export type Anchor = { readonly seq: number; readonly hash: string }

/** Returns the end of every company's log as `company → number:hash`; null when nothing was written since the last time. */
export async function anchorTails(db: Tx): Promise<Record<string, string> | null> {
  const tails = await db
    .selectFrom('audit_heads')
    .select(['tenant_id', 'last_seq', 'last_hash'])
    .where('last_seq', '>', 0)
    .execute()
  const now = Object.fromEntries(
    tails.map((tail) => [tail.tenant_id, `${tail.last_seq}:${tail.last_hash.toString('hex')}`]),
  )
  const before = await findAnchors(db)
  return tails.some(({ tenant_id, last_seq }) => before.get(tenant_id)?.seq !== last_seq) ? now : null
}

/** Returns each company's log end as last anchored in the installation's log. */
export async function findAnchors(db: Queryable): Promise<ReadonlyMap<number, Anchor>> {
  const noted = await db
    .selectFrom('platform_audit_log')
    .select('changes')
    .where('action', '=', 'audit.anchored')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return new Map(
    Object.entries(noted?.changes ?? {}).map(([tenant, change]) => {
      const [seq, hash = ''] = String(fieldIn(change, 'after')).split(':')
      return [Number(tenant), { seq: Number(seq), hash }]
    }),
  )
}
