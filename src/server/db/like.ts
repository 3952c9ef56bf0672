import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Returns the `like` pattern of texts that contain these words literally, without wildcards. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** SQL condition: a column (named by our code) contains a text, ignoring accents and case; always true without a text. */
export const containing = (column: string, text: string | undefined): RawBuilder<SqlBool> =>
  text ? sql<SqlBool>`app.fold(${sql.raw(column)}) like app.fold(${patternOf(text)}::text)` : sql<SqlBool>`true`
