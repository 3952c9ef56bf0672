import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable } from '#server/db/db.ts'

/** Who asks, where contacts with wallets are their owners' alone; null sees the whole company's. */
export type OnlyFor = number | null

/** Where a list begins: everywhere, at what a search found, or everywhere with the search asked row by row. */
export type Source =
  | { readonly kind: 'all' }
  | { readonly kind: 'found'; readonly ids: readonly number[] }
  | { readonly kind: 'scan'; readonly term: string }

/** What narrows a list: any of the tags, any of the wallets. */
export type Narrowing = { readonly tags: readonly number[]; readonly wallets: readonly number[] }

/** Contacts whose name, number, e-mail, company or document contains the term; at most `most`, in no order. */
export async function searchContacts(db: Queryable, term: string, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from app.search_contacts(${term}, ${most})`.execute(db)
  return rows.map((row) => row.id)
}

/** Contacts that the one who asks may see. */
export function contactsFor(db: Queryable, onlyFor: OnlyFor): SelectQueryBuilder<DB, 'contacts', object> {
  const contacts = db.selectFrom('contacts')
  if (onlyFor === null) return contacts
  const wallets = sql`select from contact_wallets w where w.tenant_id = contacts.tenant_id and w.contact_id = contacts.id`
  return contacts.where(sql<SqlBool>`(not exists (${wallets}) or exists (${wallets} and w.user_id = ${onlyFor}))`)
}

function narrowed(db: Queryable, onlyFor: OnlyFor, source: Source, { tags, wallets }: Narrowing) {
  let contacts = contactsFor(db, onlyFor)
  if (source.kind === 'found') contacts = contacts.where(sql<SqlBool>`contacts.id = any(${[...source.ids]}::bigint[])`)
  if (source.kind === 'scan') {
    const pattern = `%${source.term.replace(/[\\%_]/g, '\\$&')}%`
    contacts = contacts.where(sql<SqlBool>`contacts.search_text like app.fold(${pattern}::text)`)
  }
  if (tags.length > 0)
    contacts = contacts.where(sql<SqlBool>`exists (select from contact_tags m
      where m.tenant_id = contacts.tenant_id and m.contact_id = contacts.id and m.tag_id = any(${[...tags]}::bigint[]))`)
  if (wallets.length > 0)
    contacts = contacts.where(sql<SqlBool>`exists (select from contact_wallets m
      where m.tenant_id = contacts.tenant_id and m.contact_id = contacts.id and m.user_id = any(${[...wallets]}::bigint[]))`)
  return contacts
}

/** A page by name: which contacts, found by the index before anything is joined; `after` is the last (sort_name, id). */
export function pageOfContacts(
  db: Queryable,
  input: {
    onlyFor: OnlyFor
    source: Source
    narrowing: Narrowing
    after: [string, number] | null
    offset: number
    limit: number
  },
) {
  let page = narrowed(db, input.onlyFor, input.source, input.narrowing).select(['contacts.id', 'contacts.sort_name'])
  if (input.after)
    page = page.where(sql<SqlBool>`(contacts.sort_name, contacts.id) > (${input.after[0]}, ${input.after[1]})`)
  return page.orderBy('contacts.sort_name').orderBy('contacts.id').limit(input.limit).offset(input.offset).execute()
}

/** How many there are, counted up to `most`. */
export async function countContacts(
  db: Queryable,
  input: { onlyFor: OnlyFor; source: Source; narrowing: Narrowing; most: number },
): Promise<number> {
  const counted = narrowed(db, input.onlyFor, input.source, input.narrowing).select('contacts.id').limit(input.most)
  const { n } = await db
    .selectFrom(counted.as('counted'))
    .select((counting) => counting.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
