import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import type { Tx } from '#server/db/db.ts'
import { sampleRows, type TenantTable } from './queries.ts'

/** What names rows of a company, and what would show that somebody has seen them. */
export type Witnesses = {
  readonly ids: readonly number[]
  readonly uuids: readonly string[]
  /** Words to search for. */
  readonly terms: readonly string[]
  /** Text → where it stands; long or rare enough to be nobody else's by chance. */
  readonly texts: ReadonlyMap<string, string>
  /** A row of each table that has ids: table → id. */
  readonly rows: ReadonlyMap<string, unknown>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/

// An e-mail, a number of ten digits, a UUID, a sentence.
const isDistinctive = (text: string): boolean =>
  uuid.test(text) || MAIL_ADDRESS.test(text) || /^\d{10,}$/.test(text) || text.length >= 24

/** Looks into a company with the platform's eyes: a few rows of every table. */
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
