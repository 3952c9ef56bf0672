import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the SQL of the contact that a row of contacts was merged into, else itself. A `case`, because `coalesce` counts as
 * leaky, and behind a row policy no index is used for comparisons with leaky functions.
 */
export const personOf = (row: string): RawBuilder<number> =>
  sql.raw(`case when ${row}.merged_into is null then ${row}.id else ${row}.merged_into end`)
