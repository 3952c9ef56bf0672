import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Returns the `like` pattern of texts that contain these words literally, without wildcards. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Whether a column (of our own naming) contains a text, accents and case aside; without a text everything does. */
export const containing = (column: string, text: string | undefined): RawBuilder<SqlBool> =>
  text ? sql<SqlBool>`app.fold(${sql.raw(column)}) like app.fold(${patternOf(text)}::text)` : sql<SqlBool>`true`
