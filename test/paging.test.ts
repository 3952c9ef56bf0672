import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { type Field, KINDS, kindOf, schemaOf } from '#kit/fields/kinds.ts'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { make } from './make.ts'
import { ownProduct } from './server.ts'
import { breadth } from './setup/breadth.ts'

const fieldOf = (kind: Field['kind']) => ({ kind, label: kind, column: `of_${kind}` }) as never
const sortable = KINDS.filter((kind) => kindOf({ kind }).sort)
const table = tableOf<{ id: number }>({
  table: 'everything',
  fields: Object.fromEntries(sortable.map((kind) => [kind, fieldOf(kind)])),
  search: [],
  order: 'text',
})
const migration = `
  create table everything (
    tenant_id bigint not null references tenants (id) on delete cascade,
    id bigint generated always as identity,
    ${sortable.map((kind) => `of_${kind} ${kindOf({ kind }).column}`)},
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (tenant_id, id)
  );
  select app.protect('everything');`

const product = ownProduct('has a feature of its own', { more: { feature: { name: 'everything' }, migration } })
let tenantId: number
beforeAll(async () => {
  tenantId = await make(product().platform).tenant()
})

/** Texts that look alike without case and accents, and those that the database folds in more than one step. */
const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A',
    'á',
    'Ação',
    'acao',
    'ß',
    'ss',
    'İ',
    'i',
    'ﬁ',
    'fi',
    'Æ',
    '½',
    '1/2',
    'Ʀ',
    'Ƞ',
    'n',
    'r',
    's',
    '№',
    '%',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }).filter((text) => !text.includes('\0')),
)
/** Generates values of a kind: few distinct ones, so that many rows share them, and null if such a column is nullable. */
function valuesOf(kind: Field['kind']): fc.Arbitrary<unknown> {
  const { sort, samples, column } = kindOf({ kind })
  const good = fc.constantFrom(...samples(fieldOf(kind)).good.map((value) => schemaOf(fieldOf(kind)).parse(value)))
  const other = { text: texts, 'double precision': fc.double({ noNaN: true, min: -1e12, max: 1e12 }) }[column] ?? good
  return fc.oneof(good, other, ...(sort?.last ? [fc.constant(null)] : []))
}

const start = { after: null, offset: 0 }

describe.each(sortable)('%s', (kind) => {
  const { sort, column } = kindOf({ kind })
  const store = async (db: Tx, values: readonly unknown[]) => {
    await sql`delete from everything`.execute(db)
    for (const value of values)
      await sql`insert into everything (tenant_id, created_at, updated_at, ${sql.id(`of_${kind}`)})
        values (app.tenant(), app.now(), app.now(), ${value}::${sql.raw(column)})`.execute(db)
  }

  test.each([false, true])('the pages of a list make up the list, every row once (down: %s)', async (down) => {
    const asked = { sort: kind, down }
    await fc.assert(
      fc.asyncProperty(fc.array(valuesOf(kind), { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (values, limit) =>
        product().platform.db.write(tenantId, async (db) => {
          await store(db, values)
          const whole = await table.page(db, asked, { ...start, limit: 100 })
          expect(new Set(whole.map(({ id }) => id)).size).toBe(values.length)
          const nulls = whole.map((row) => (row as Record<string, unknown>)[kind] === null)
          if (sort?.last) expect(nulls).toEqual(nulls.toSorted((a, b) => (down ? +b - +a : +a - +b)))

          const paged: number[] = []
          for (let after: [string, number] | null = null; ; ) {
            const rows = await table.page(db, asked, { after, offset: 0, limit })
            paged.push(...rows.map(({ id }) => id))
            const last = rows.at(-1)
            if (!last || paged.length > values.length) break
            after = decodeCursor(encodeCursor([last.sortValue, last.id]), 2) as [string, number]
          }
          expect(paged).toEqual(whole.map(({ id }) => id))
        }),
      ),
      { numRuns: breadth(8, 25) },
    )
  })
})
