import { type SqlBool, sql } from 'kysely'
import { type Narrowing, narrowedContacts, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Filter of a contact report beyond the list's filters. */
export type ContactPeriod = {
  readonly from: Date | null
  readonly before: Date | null
  readonly ddds: readonly string[]
}

/** SQL conditions on `contacts` for a period and area codes; excludes groups. */
export const contactConditions = ({ from, before, ddds }: ContactPeriod) => [
  sql<SqlBool>`not contacts.is_group`,
  ...(from ? [sql<SqlBool>`contacts.created_at >= ${from}`] : []),
  ...(before ? [sql<SqlBool>`contacts.created_at < ${before}`] : []),
  ...(ddds.length > 0 ? [sql<SqlBool>`left(contacts.number, 4) = any(${ddds.map((ddd) => `55${ddd}`)}::text[])`] : []),
]

type Asked = { readonly onlyFor: OnlyFor; readonly narrowing: Narrowing }

/** Returns a page of contact ids, newest first. */
export async function pageOfReported(
  db: Queryable,
  { onlyFor, narrowing }: Asked,
  { after, limit }: Pick<PageStart<[id: number]>, 'after' | 'limit'>,
): Promise<number[]> {
  const rows = await narrowedContacts(db, onlyFor, narrowing)
    .select('contacts.id')
    .$if(after !== null, (query) => query.where('contacts.id', '<', after![0]))
    .orderBy('contacts.id', 'desc')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ id }) => id)
}

/** Counts the contacts. */
export async function countReported(db: Queryable, { onlyFor, narrowing }: Asked): Promise<number> {
  const { count } = await narrowedContacts(db, onlyFor, narrowing)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Contact with the columns of reports. */
export type ReportedContact = {
  id: number
  name: string
  number: string | null
  email: string
  extraInfo: { name: string; value: string }[]
  tags: string[]
  kanban: string | null
  wallets: string[]
  ad: string | null
  createdAt: Date
}

/** Returns contacts with tags, stage, wallets, last ad and additional info, in the given order. */
export async function loadReported(db: Queryable, ids: readonly number[]): Promise<ReportedContact[]> {
  const { rows } = await sql<ReportedContact>`
    select c.id, c.name, c.number, c.email, c.created_at as "createdAt", s.name as kanban,
      coalesce((select jsonb_agg(jsonb_build_object('name', coalesce(e ->> 'name', ''), 'value', coalesce(e ->> 'value', '')))
        from jsonb_array_elements(c.extra_info) e), '[]') as "extraInfo",
      array(select t.tag from contact_tags m join tags t on t.tenant_id = m.tenant_id and t.id = m.tag_id
        where m.tenant_id = c.tenant_id and m.contact_id = c.id order by t.tag) as tags,
      array(select u.name from contact_wallets m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
        where m.tenant_id = c.tenant_id and m.contact_id = c.id order by u.name) as wallets,
      (select coalesce(nullif(m.data -> 'ad' ->> 'headline', ''), nullif(m.data -> 'ad' ->> 'sourceId', ''), 'Anúncio')
        from tickets t join messages m on m.tenant_id = t.tenant_id and m.ticket_id = t.id
        where t.tenant_id = c.tenant_id and t.contact_id = c.id and m.data ? 'ad'
        order by m.timestamp desc limit 1) as ad
    from unnest(${[...ids]}::bigint[]) with ordinality as asked (id, place)
    join contacts c on c.id = asked.id
    left join stages s on s.tenant_id = c.tenant_id and s.id = c.kanban
    order by asked.place`.execute(db)
  return rows
}
