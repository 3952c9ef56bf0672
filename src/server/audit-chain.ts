import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { isRecord } from '#domain/keys.ts'
import type { Queryable, Tx } from './db/db.ts'
import { type Secrets, sha256 } from './secrets.ts'

/** Owner of an audit log: a tenant, or the installation. */
export type Chain = number | 'platform'

/** Audit record as stored and hashed. */
export type AuditRecord = {
  readonly seq: number
  readonly at: Date
  readonly action: string
  readonly summary: string
  readonly result: string
  readonly user_id: number | null
  readonly user_name: string
  readonly profile: string
  readonly is_support: boolean
  readonly method: string
  readonly ip: string
  readonly user_agent: string
  readonly request_id: string
  readonly target: Record<string, string | number>
  readonly changes: Record<string, { before?: unknown; after?: unknown }>
}

/** Bounds of a chain: base and last record; `signature` is made with the installation's key. */
export type AuditTail = {
  readonly base_seq: number
  readonly base_hash: Buffer
  readonly last_seq: number
  readonly last_hash: Buffer
  readonly signature: string
}

/** Columns of a record, without those of the chain. */
export const recordColumns = [
  'seq',
  'at',
  'action',
  'summary',
  'result',
  'user_id',
  'user_name',
  'profile',
  'is_support',
  'method',
  'ip',
  'user_agent',
  'request_id',
  'target',
  'changes',
] as const satisfies readonly (keyof AuditRecord)[]

/** Returns the hash of a record: over its chain, the previous hash and its columns in canonical form. */
export function hashOf(chain: Chain, previous: Uint8Array, record: AuditRecord): Buffer {
  const columns = recordColumns.map((name) => record[name])
  return sha256(canonical([chain, Buffer.from(previous).toString('hex'), ...columns]))
}

/** Returns the signature of a chain's ends, which cannot be forged without the master key. */
export function signatureOf(secrets: Secrets, chain: Chain, tail: Omit<AuditTail, 'signature'>): string {
  const ends = [chain, tail.base_seq, tail.base_hash.toString('hex'), tail.last_seq, tail.last_hash.toString('hex')]
  return createHmac('sha256', secrets.derive('audit')).update(canonical(ends)).digest('base64url')
}

/**
 * Adds records to the end of a chain. The row lock of the chain's tail is held until the caller commits, so it belongs to the end of a
 * transaction.
 */
export async function appendRecords(
  db: Tx,
  secrets: Secrets,
  chain: Chain,
  records: readonly Omit<AuditRecord, 'seq'>[],
): Promise<void> {
  const tail = await lockTail(db, chain)
  let { last_seq: seq, last_hash: last } = tail
  const rows = records.map((given) => {
    const record = { ...given, seq: ++seq }
    const previous_hash = last
    last = hashOf(chain, previous_hash, record)
    const { target, changes } = record
    return { ...record, target: JSON.stringify(target), changes: JSON.stringify(changes), previous_hash, hash: last }
  })
  const own = (tenant_id: number) => rows.map((row) => ({ tenant_id, ...row }))
  await Promise.all([
    chain === 'platform'
      ? db.insertInto('platform_audit_log').values(rows).execute()
      : db.insertInto('audit_log').values(own(chain)).execute(),
    saveTail(db, secrets, chain, { ...tail, last_seq: seq, last_hash: last }),
  ])
}

/** Locks the bounds of a chain until the transaction ends; a chain without records is created. */
export async function lockTail(db: Tx, chain: Chain): Promise<AuditTail> {
  if (chain === 'platform') {
    await db
      .insertInto('platform_audit_head')
      .values({ only_row: true })
      .onConflict((c) => c.column('only_row').doNothing())
      .execute()
    return db.selectFrom('platform_audit_head').selectAll().forUpdate().executeTakeFirstOrThrow()
  }
  const [, tail] = await Promise.all([
    db
      .insertInto('audit_heads')
      .values({ tenant_id: chain })
      .onConflict((c) => c.column('tenant_id').doNothing())
      .execute(),
    db.selectFrom('audit_heads').selectAll().where('tenant_id', '=', chain).forUpdate().executeTakeFirstOrThrow(),
  ])
  return tail
}

/** Writes the ends of a chain, signed. */
export async function saveTail(
  db: Tx,
  secrets: Secrets,
  chain: Chain,
  { base_seq, base_hash, last_seq, last_hash }: Omit<AuditTail, 'signature'>,
): Promise<void> {
  const ends = { base_seq, base_hash, last_seq, last_hash }
  const change = { ...ends, signature: signatureOf(secrets, chain, ends) }
  if (chain === 'platform') await db.updateTable('platform_audit_head').set(change).execute()
  else await db.updateTable('audit_heads').set(change).where('tenant_id', '=', chain).execute()
}

/** Returns the bounds of a chain; undefined without records. */
export async function findTail(db: Queryable, chain: Chain): Promise<AuditTail | undefined> {
  if (chain === 'platform') return db.selectFrom('platform_audit_head').selectAll().executeTakeFirst()
  return db.selectFrom('audit_heads').selectAll().where('tenant_id', '=', chain).executeTakeFirst()
}

/** Returns a range of records of a chain in order, after `seq`. */
export async function readChain(
  db: Queryable,
  chain: Chain,
  after: number,
  limit: number,
): Promise<(AuditRecord & { previous_hash: Buffer; hash: Buffer })[]> {
  const query =
    chain === 'platform'
      ? sql<AuditRecord & { previous_hash: Buffer; hash: Buffer }>`select * from platform_audit_log
          where seq > ${after} order by seq limit ${limit}`
      : sql<AuditRecord & { previous_hash: Buffer; hash: Buffer }>`select * from audit_log
          where tenant_id = ${chain} and seq > ${after} order by seq limit ${limit}`
  return (await query.execute(db)).rows
}

// Keys in sorted order: jsonb does not keep their order.
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
