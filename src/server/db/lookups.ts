import { type RawBuilder, sql } from 'kysely'

/**
 * What the rows of a common table refer to, as a column `lookups` that one of them has: an object with the rows of each
 * query, in JSON. Each query runs once for all rows; a join runs for each, in a plan of many more parts. Queries are text,
 * which costs nothing to compile, and those that need values (`bound`) are not.
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

/** The lookups that came with some rows; nothing where there are no rows. */
export const readLookups = <L>(rows: readonly { readonly lookups: L | null }[]): Partial<L> =>
  rows.find(({ lookups }) => lookups)?.lookups ?? {}

/** Rows of a lookup by their key. */
export const byKey = <R, K extends keyof R>(rows: readonly R[] | null | undefined, key: K): ReadonlyMap<R[K], R> =>
  new Map(rows?.map((row) => [row[key], row]))

/** Rows of a lookup by whose they are. */
export const groupedBy = <R, K extends keyof R>(
  rows: readonly R[] | null | undefined,
  key: K,
): ReadonlyMap<R[K], R[]> => Map.groupBy(rows ?? [], (row) => row[key])
