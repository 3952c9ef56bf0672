import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'
import { contactsFor, type OnlyFor } from '../queries-list.ts'

// What two contacts have in common, with the condition of its index; the key is one text, for the cursor.
const KEYS = {
  line: { key: sql<string>`app.line_of(number)`, where: sql<boolean>`number is not null` },
  document: { key: sql<string>`cpf`, where: sql<boolean>`cpf <> ''` },
  email: { key: sql<string>`email`, where: sql<boolean>`email <> ''` },
  name: { key: sql<string>`birthday_date || ' ' || sort_name`, where: sql<boolean>`birthday_date <> ''` },
} as const

/** Contacts with what an older one has, with the oldest of those; not the pairs of which somebody has said that they are two people. */
export async function findDuplicates(
  db: Queryable,
  reason: keyof typeof KEYS,
  { after, most, onlyFor }: { after: { key: string; id: number } | null; most: number; onlyFor: OnlyFor },
): Promise<{ key: string; id: number; first: number }[]> {
  const { key, where } = KEYS[reason]
  let known = contactsFor(db, onlyFor)
    .select(['contacts.id', key.as('key'), sql<number>`min(id) over (partition by ${key})`.as('first')])
    .where(where)
    // As the index says it: a value that is sent apart may be anything, and all contacts would be sorted.
    .where(sql<boolean>`not is_group`)
  if (after) known = known.where(sql<boolean>`${key} >= ${after.key}`)
  return db
    .selectFrom(known.as('known'))
    .select(['key', 'id', 'first'])
    .whereRef('id', '<>', 'first')
    .where(sql<boolean>`not exists (select from distinct_contacts d
      where d.tenant_id = app.tenant() and d.contact_id = known.first and d.other_id = known.id)`)
    .$if(after !== null, (query) => query.where(sql<boolean>`(key, id) > (${after?.key}, ${after?.id})`))
    .orderBy('key')
    .orderBy('id')
    .limit(sql.lit(most))
    .execute()
}
