import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The pattern of `like` for a text that contains these words as they were typed: they hold no wildcards. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Whether a column (of our own naming) contains a text, accents and case aside; without a text everything does. */
export const containing = (column: string, text: string | undefined): RawBuilder<SqlBool> =>
  text ? sql<SqlBool>`app.fold(${sql.raw(column)}) like app.fold(${patternOf(text)}::text)` : sql<SqlBool>`true`
