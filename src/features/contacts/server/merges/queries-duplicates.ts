import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'
import { contactsFor, type OnlyFor } from '../queries-list.ts'

// Shared values of duplicates, in the order of their index and with its predicate.
const REASONS = {
  line: { columns: { line: sql<string>`app.line_of(number)` }, where: sql<boolean>`number is not null` },
  document: { columns: { cpf: sql<string>`cpf` }, where: sql<boolean>`cpf <> ''` },
  email: { columns: { email: sql<string>`email` }, where: sql<boolean>`email <> ''` },
  name: {
    columns: { birthday_date: sql<string>`birthday_date`, sort_name: sql<string>`sort_name` },
    where: sql<boolean>`birthday_date <> ''`,
  },
} as const satisfies Record<string, { columns: Record<string, RawBuilder<string>>; where: RawBuilder<boolean> }>

// The cursor joins the values with spaces: only the last one may contain any.
const partsOf = (key: string, amount: number): string[] => {
  const parts = key.split(' ')
  return [...parts.slice(0, amount - 1), parts.slice(amount - 1).join(' ')]
}

/** Returns contacts that share a value with an older one, with the oldest of those; excludes pairs marked as different people. */
export async function findDuplicates(
  db: Queryable,
  reason: keyof typeof REASONS,
  { after, most, onlyFor }: { after: { key: string; id: number } | null; most: number; onlyFor: OnlyFor },
): Promise<{ key: string; id: number; first: number }[]> {
  const { columns, where }: { columns: Record<string, RawBuilder<string>>; where: RawBuilder<boolean> } =
    REASONS[reason]
  const names = Object.keys(columns)
  const same = sql.join(Object.values(columns))
  const start = after && sql.join(partsOf(after.key, names.length))
  let known = contactsFor(db, onlyFor)
    .select(['contacts.id', sql<number>`min(id) over (partition by ${same})`.as('first')])
    .select(Object.entries(columns).map(([name, value]) => value.as(name)))
    .where(where)
    // Literal, as in the index's predicate: with a parameter the planner would sort all contacts.
    .where(sql<boolean>`not is_group`)
  if (start) known = known.where(sql<boolean>`(${same}) >= (${start})`)
  const keys = sql.join(names.map((name) => sql.ref(name)))
  const { rows } = await sql<{ key: string; id: number; first: number }>`
    select concat_ws(' ', ${keys}) as key, id, first from (${known}) known
    where id <> first ${start ? sql`and (${keys}, id) > (${start}, ${after.id}::bigint)` : sql``}
      and not exists (select from distinct_contacts d
        where d.tenant_id = app.tenant() and d.contact_id = known.first and d.other_id = known.id)
    order by ${keys}, id limit ${sql.lit(most)}`.execute(db)
  return rows
}
