import { type RawBuilder, sql } from 'kysely'

/** So many names of what is not read are counted. */
const MOST_NAMES = 50

/** How often what came, and nothing is made of, bore which name: what a row's `unread` says, with some more. */
export const withCounted = (names: readonly string[]): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_object_agg(name, times), '{}') from (
    select name, sum(times) as times from (
      select key as name, value::bigint as times from jsonb_each_text(unread)
      union all select left(n, 80), 1 from unnest(${names}::text[]) n) counted
    group by name order by sum(times) desc, name limit ${MOST_NAMES}) most)`

/** The same for people, the most frequent first: `label (3), group (1)`. */
export const unreadText = (unread: Readonly<Record<string, number>> | null | undefined): string =>
  Object.entries(unread ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name || 'sem nome'} (${times})`)
    .join(', ')
