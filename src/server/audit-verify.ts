import { sql } from 'kysely'
import { type AuditTail, type Chain, findTail, hashOf, readChain, signatureOf } from './audit-chain.ts'
import { type Anchor, findAnchors } from './audit-retention.ts'
import type { Queryable, Tx } from './db/db.ts'
import type { Secrets } from './secrets.ts'

/** Result of verifying a chain: number of records, and a Portuguese sentence per fault (first fifty). */
export type AuditCheck = { readonly chain: Chain; readonly records: number; readonly faults: readonly string[] }

const STRETCH = 1000
const MOST_FAULTS = 50

/**
 * Verifies every company's log and the installation's, or `only` one, in one snapshot of the database; requires platform
 * database access.
 */
export async function verifyAudit(db: Tx, secrets: Secrets, only?: Chain): Promise<AuditCheck[]> {
  await sql`set transaction isolation level repeatable read, read only`.execute(db)
  const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute()
  const anchors = await findAnchors(db)
  const checks: AuditCheck[] = []
  for (const chain of only ? [only] : ['platform' as const, ...tenants.map(({ id }) => id)])
    checks.push(await verifyChain(db, secrets, chain, chain === 'platform' ? undefined : anchors.get(chain)))
  return checks
}

// Verifies from the base to the signed tail, with the anchor in between.
async function verifyChain(db: Queryable, secrets: Secrets, chain: Chain, anchor?: Anchor): Promise<AuditCheck> {
  const tail = await findTail(db, chain)
  const faults: string[] = []
  let records = 0
  let seq = tail?.base_seq ?? 0
  let last: Uint8Array = tail?.base_hash ?? Buffer.alloc(0)
  for (;;) {
    const stretch = await readChain(db, chain, seq, STRETCH)
    for (const record of stretch) {
      const isNext = record.seq === seq + 1
      if (!isNext) faults.push(missing(seq + 1, record.seq - 1))
      if (!hashOf(chain, record.previous_hash, record).equals(record.hash))
        faults.push(`o registro ${record.seq} foi alterado`)
      else if (isNext && !record.previous_hash.equals(last))
        faults.push(`o registro ${seq} não é o que estava aqui quando o ${record.seq} foi escrito`)
      if (record.seq === anchor?.seq && record.hash.toString('hex') !== anchor.hash)
        faults.push(`o registro ${record.seq} não é o que a instalação anotou`)
      seq = record.seq
      last = record.hash
      records++
    }
    if (stretch.length < STRETCH) break
  }
  if (anchor && anchor.seq > Math.max(seq, tail?.last_seq ?? 0)) faults.push(missing(seq + 1, anchor.seq))
  faults.push(...(tail ? faultsOfEnd(secrets, chain, tail, seq, last) : records > 0 ? ['falta o fim assinado'] : []))
  return { chain, records, faults: faults.slice(0, MOST_FAULTS) }
}

function faultsOfEnd(secrets: Secrets, chain: Chain, tail: AuditTail, seq: number, last: Uint8Array): string[] {
  const faults: string[] = []
  if (signatureOf(secrets, chain, tail) !== tail.signature) faults.push('a assinatura do fim não confere')
  if (seq < tail.last_seq) faults.push(missing(seq + 1, tail.last_seq))
  else if (seq > tail.last_seq) faults.push(`há registros depois do último assinado, que é o ${tail.last_seq}`)
  else if (!tail.last_hash.equals(last)) faults.push(`o registro ${seq}, o último, não é o que foi assinado`)
  return faults
}

const missing = (first: number, last: number): string =>
  first === last ? `falta o registro ${first}` : `faltam os registros ${first} a ${last}`

/** Formats the faults of the checks as lines, each with its log. */
export const describeFaults = (checks: readonly AuditCheck[]): string[] =>
  checks.flatMap(({ chain, faults }) =>
    faults.map((fault) => `${chain === 'platform' ? 'Instalação' : `Empresa ${chain}`}: ${fault}.`),
  )
