import { type RawBuilder, sql } from 'kysely'

/**
 * The contact that a row of contacts is part of: the one into which it was merged, else itself. It is a `case`, because
 * `coalesce` counts as leaky, and behind a row policy no index is used for what is compared with something leaky.
 */
export const personOf = (row: string): RawBuilder<number> =>
  sql.raw(`case when ${row}.merged_into is null then ${row}.id else ${row}.merged_into end`)
