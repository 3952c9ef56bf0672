import { type RawBuilder, sql } from 'kysely'

/**
 * Builds the column `lookups`, which one row of a common table carries: referenced rows of each query as a JSON object. Each
 * query runs once for all rows, unlike a join. Queries are text, which needs no compiling, except those with values
 * (`bound`).
 */
export function lookupsOf(
  table: string,
  queries: Readonly<Record<string, string>>,
): (bound?: Readonly<Record<string, RawBuilder<unknown>>>) => RawBuilder<unknown> {
  const rowsOf = (name: string) => `'${name}', (select json_agg(x) from (`
  const fixed = Object.entries(queries).map(([name, query]) => `${rowsOf(name)}${query}) x)`)
  const beginning = sql.raw(
    `case when ${table}.id = (select id from ${table} limit 1) then json_build_object(${fixed.join(', ')}`,
  )
  return (bound = {}) => {
    const more = Object.entries(bound).map(([name, query]) => sql`, ${sql.raw(rowsOf(name))}${query}) x)`)
    return sql`${beginning}${sql.join(more, sql``)}) end as lookups`
  }
}

/** Returns the lookups that came with some rows; empty without rows. */
export const readLookups = <L>(rows: readonly { readonly lookups: L | null }[]): Partial<L> =>
  rows.find(({ lookups }) => lookups)?.lookups ?? {}

/** Indexes the rows of a lookup by a key. */
export const byKey = <R, K extends keyof R>(rows: readonly R[] | null | undefined, key: K): ReadonlyMap<R[K], R> =>
  new Map(rows?.map((row) => [row[key], row]))

/** Groups the rows of a lookup by their owner. */
export const groupedBy = <R, K extends keyof R>(
  rows: readonly R[] | null | undefined,
  key: K,
): ReadonlyMap<R[K], R[]> => Map.groupBy(rows ?? [], (row) => row[key])
