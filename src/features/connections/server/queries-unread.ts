import { type RawBuilder, sql } from 'kysely'

/** Maximum number of names of unread events that are counted. */
const MOST_NAMES = 50

/** SQL expression for the `unread` counts of a row plus these names; the most frequent are kept. */
export const withCounted = (names: readonly string[]): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_object_agg(name, times), '{}') from (
    select name, sum(times) as times from (
      select key as name, value::bigint as times from jsonb_each_text(unread)
      union all select left(n, 80), 1 from unnest(${names}::text[]) n) counted
    group by name order by sum(times) desc, name limit ${MOST_NAMES}) most)`

/** Formats `unread` counts, most frequent first: `label (3), group (1)`. */
export const unreadText = (unread: Readonly<Record<string, number>> | null | undefined): string =>
  Object.entries(unread ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name || 'sem nome'} (${times})`)
    .join(', ')
