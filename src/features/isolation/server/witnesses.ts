import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import type { Tx } from '#server/db/db.ts'
import { sampleRows, type TenantTable } from './queries.ts'

/** Ids of a company's rows, and texts that would prove their disclosure. */
export type Witnesses = {
  readonly ids: readonly number[]
  readonly uuids: readonly string[]
  /** Search terms. */
  readonly terms: readonly string[]
  /** Text → its place; long or rare enough not to occur elsewhere by chance. */
  readonly texts: ReadonlyMap<string, string>
  /** Row of each table with ids: table → id. */
  readonly rows: ReadonlyMap<string, unknown>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/

// An e-mail, a number of ten digits, a UUID, a sentence.
const isDistinctive = (text: string): boolean =>
  uuid.test(text) || MAIL_ADDRESS.test(text) || /^\d{10,}$/.test(text) || text.length >= 24

/** Collects witnesses of a company: some rows of every table; requires platform database access. */
export async function findWitnesses(db: Tx, tables: readonly TenantTable[], tenantId: number): Promise<Witnesses> {
  const ids = new Set<number>()
  const uuids = new Set<string>()
  const terms = new Set<string>()
  const texts = new Map<string, string>()
  const rows = new Map<string, unknown>()
  for (const table of tables) {
    for (const row of await sampleRows(db, table, tenantId)) {
      if ('id' in row && !rows.has(table.name)) {
        rows.set(table.name, row['id'])
        if (typeof row['id'] === 'number') ids.add(row['id'])
      }
      for (const [column, value] of Object.entries(row)) {
        if (typeof value !== 'string') continue
        if (table.uuids.includes(column)) uuids.add(value)
        if (isDistinctive(value)) texts.set(value, `${table.name}.${column}`)
        if (['contacts', 'messages'].includes(table.name) && ['name', 'body'].includes(column) && value)
          terms.add(value.slice(0, 40))
      }
    }
  }
  return { ids: [...ids], uuids: [...uuids].slice(0, 40), terms: [...terms].slice(0, 4), texts, rows }
}
