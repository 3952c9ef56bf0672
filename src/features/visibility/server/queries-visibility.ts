import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type AnyLeaf, allOf, type Criteria, not, type Scalar } from '#domain/criteria.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import type { Queryable } from '#server/db/db.ts'

type Condition = RawBuilder<SqlBool>
/** Compiles a leaf to SQL for the ticket row `t`; `negated` compiles its negation. */
type Compile = (leaf: AnyLeaf, t: string, negated: boolean) => Condition

/**
 * Compiles criteria to a condition on `tickets` under the given alias, for `where(…)`. Uses only operators whose indexes
 * work under row policies; statuses are literals, so that partial indexes match; ids are parameters.
 */
export function ticketsWhere(criteria: Criteria<TicketFacts>, alias = 'tickets'): Condition {
  if (typeof criteria === 'boolean' || alias !== 'tickets') return compile(criteria, alias, false)
  const condition = known.get(criteria) ?? compile(criteria, alias, false)
  known.set(criteria, condition)
  return condition
}

// The condition of visibility is one object until it changes.
const known = new WeakMap<object, Condition>()

/** Returns open and pending tickets that match the first criteria and not the second; at most `most`. */
export async function findLostTickets(
  db: Queryable,
  { before, after }: { before: Criteria<TicketFacts>; after: Criteria<TicketFacts> },
  most: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('id')
    .where(sql<SqlBool>`tickets.status in ('open', 'pending')`)
    .where(ticketsWhere(allOf(before, not(after))))
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

const FIELDS: Readonly<Record<keyof TicketFacts, Compile>> = {
  status: (leaf, t, negated) => {
    const values = sql.join((leaf.in ?? []).map((status) => sql.lit(status)))
    return negated ? sql`${column(t, 'status')} not in (${values})` : sql`${column(t, 'status')} in (${values})`
  },
  isGroup: flag((t) => sql<SqlBool>`${column(t, 'is_group')}`),
  unread: flag((t) => sql<SqlBool>`${column(t, 'unread_messages')} > 0`),
  userId: id('user_id'),
  queueId: id('queue_id'),
  whatsappId: id('connection_id'),
  chatFlowId: id('chat_flow_id'),
  isAssisted: flag((t) => sql<SqlBool>`app.is_assisted(${column(t, 'assistants')})`),
  kanban: id('kanban'),
  tagIds: members('ticket_tags', 'ticket_id', 'tag_id', 'id'),
  groupUserIds: members('ticket_group_users', 'ticket_id', 'user_id', 'id'),
  snoozed: flag((t) => sql<SqlBool>`${column(t, 'snoozed_until')} is not null`),
  wallets: members('contact_wallets', 'contact_id', 'user_id', 'contact_id'),
}

// Negation is pushed down to the leaves, where null is a value: between `and` and `or`, SQL's unknown is just a no.
function compile(criteria: Criteria<TicketFacts>, t: string, negated: boolean): Condition {
  if (typeof criteria === 'boolean') return sql.lit(criteria !== negated)
  if ('not' in criteria) return compile(criteria.not, t, !negated)
  if ('all' in criteria) return join(criteria.all, t, negated, negated ? ' or ' : ' and ')
  if ('any' in criteria) return join(criteria.any, t, negated, negated ? ' and ' : ' or ')
  if ('in' in criteria && criteria.in.length === 0) return sql.lit(negated)
  return FIELDS[criteria.field](criteria, t, negated)
}

function join(parts: readonly Criteria<TicketFacts>[], t: string, negated: boolean, word: ' and ' | ' or '): Condition {
  if (parts.length === 0) return sql.lit(word === ' and ')
  const compiled = parts.map((part) => compile(part, t, negated))
  return sql`(${sql.join(compiled, sql.raw(word))})`
}

function flag(condition: (t: string) => Condition): Compile {
  return (leaf, t, negated) => {
    const values = leaf.in ?? []
    if (values.includes(true) && values.includes(false)) return sql.lit(!negated)
    return values.includes(true) !== negated ? condition(t) : sql`not (${condition(t)})`
  }
}

function id(name: string): Compile {
  return (leaf, t, negated) => {
    const values = leaf.in ?? []
    const withNull = values.includes(null)
    const ids = values.filter((value) => value !== null)
    const there = column(t, name)
    if (ids.length === 0) return negated ? sql`${there} is not null` : sql`${there} is null`
    const match = negated
      ? sql<SqlBool>`${there} <> all(${bigints(ids)})`
      : sql<SqlBool>`${there} = any(${bigints(ids)})`
    // `null = any(…)` is null, which counts as "no" wherever a negation has been pushed past it.
    if (withNull) return negated ? match : sql`(${there} is null or ${match})`
    return negated ? sql`(${there} is null or ${match})` : match
  }
}

function members(table: string, key: string, member: string, own: string): Compile {
  return (leaf, t, negated) => {
    const named = leaf.overlaps ? sql`where m.member = any(${bigints(leaf.overlaps)})` : sql``
    // `offset 0` forces a look-up of one ticket's few rows: the planner would otherwise hash the whole table or (with many
    // companies) read everything of one member.
    const rows = sql`select from (select m.${sql.raw(member)} as member from ${sql.raw(table)} m
      where m.tenant_id = ${column(t, 'tenant_id')} and m.${sql.raw(key)} = ${column(t, own)} offset 0) m ${named}`
    return Boolean(leaf.empty) !== negated ? sql`not exists (${rows})` : sql`exists (${rows})`
  }
}

// Constant names as raw text: a reference would be parsed and quoted for each statement.
const column = (t: string, name: string) => sql.raw(`${t}.${name}`)
const bigints = (values: readonly Scalar[]) => sql`${[...values]}::bigint[]`
