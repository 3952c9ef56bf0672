import { sql } from 'kysely'
import type { Condition } from './queries-facts.ts'

/** Ids of queues, users or reasons; 'none' matches tickets without one. */
type Ids = readonly (number | 'none')[] | undefined

/** Filter of figures and ticket lists; absent or empty lists do not filter. Values are in the company's currency. */
export type Filter = {
  readonly queues?: Ids
  readonly users?: Ids
  readonly reasons?: Ids
  readonly tags?: readonly number[] | undefined
  readonly channels?: readonly string[] | undefined
  readonly connections?: readonly number[] | undefined
  readonly status?: readonly ('open' | 'pending' | 'closed')[] | undefined
  readonly valueMin?: number | undefined
  readonly valueMax?: number | undefined
}

/** Combines conditions with AND; none gives true. */
export function both(...conditions: readonly (Condition | null)[]): Condition {
  const all = conditions.filter((one) => one !== null)
  return all.length === 0 ? sql`true` : sql`(${sql.join(all, sql` and `)})`
}

/** Combines conditions with OR; none gives false. */
export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`

/** SQL condition of a user's tickets. */
export const ofUser = (id: number): Condition => sql`tickets.user_id = ${id}`

/** SQL condition that excludes group conversations, or null to include them. */
export const withGroups = (groups: boolean | undefined): Condition | null => (groups ? null : sql`not tickets.is_group`)

const listsOf = ({ queues, users, reasons, tags, channels, connections, status }: Filter) =>
  ({ queues, users, reasons, tags, channels, connections, status }) as const

/** Checks whether a filter narrows anything. */
export const isFiltered = (filter: Filter): boolean =>
  Object.values(listsOf(filter)).some((list) => (list?.length ?? 0) > 0) ||
  filter.valueMin !== undefined ||
  filter.valueMax !== undefined

/** Converts a filter to an SQL condition on `tickets`; null if it narrows nothing. */
export function filtered(filter: Filter): Condition | null {
  const { queues, users, reasons, tags, channels, connections, status } = listsOf(filter)
  const conditions = [
    amongIds('tickets.queue_id', queues),
    amongIds('tickets.user_id', users),
    amongIds('tickets.reason_id', reasons),
    amongIds('tickets.connection_id', connections),
    tags?.length
      ? sql`exists (select from ticket_tags tt where tt.tenant_id = tickets.tenant_id and tt.ticket_id = tickets.id
          and tt.tag_id = any(${[...tags]}::bigint[]))`
      : null,
    channels?.length ? sql`tickets.channel = any(${[...channels]}::text[])` : null,
    status?.length ? sql`tickets.status in (${sql.join(status.map((one) => sql.lit(one)))})` : null,
    filter.valueMin === undefined ? null : sql`tickets.value >= ${filter.valueMin}`,
    filter.valueMax === undefined ? null : sql`tickets.value <= ${filter.valueMax}`,
  ] as (Condition | null)[]
  return conditions.every((one) => one === null) ? null : both(...conditions)
}

function amongIds(column: string, ids: Ids): Condition | null {
  if (!ids?.length) return null
  const known = ids.filter((id) => id !== 'none')
  const one = sql`${sql.ref(column)} = any(${known}::bigint[])`
  return ids.includes('none') ? sql`(${one} or ${sql.ref(column)} is null)` : sql`(${one})`
}
