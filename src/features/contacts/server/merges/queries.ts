import { type SqlBool, sql } from 'kysely'
import type { Keep, MergeState } from '#domain/contacts/person.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { personOf } from '#server/db/person.ts'
import { writeFieldValues } from '../queries-fields.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Returns the root contact of each contact (itself if not merged); unknown ids are missing. */
export async function personsOf(db: Queryable, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('contacts')
    .select(['id', sql<number>`coalesce(merged_into, id)`.as('person')])
    .where(sql<SqlBool>`id = any(${bigints(ids)})`)
    .execute()
  return new Map(rows.map(({ id, person }) => [id, person]))
}

/** Contact with the columns that merging needs. */
export type Member = Awaited<ReturnType<typeof readMembers>>[number]

/** Locks persons with all of their merged contacts, in order of id. */
export async function lockMembers(db: Tx, persons: readonly number[]): Promise<Member[]> {
  await sql`select from contacts where id = any(${bigints(persons)}) or merged_into = any(${bigints(persons)})
    order by id for no key update`.execute(db)
  return readMembers(db, persons)
}

/** Returns persons with all of their merged contacts, in order of id. */
export function readMembers(db: Queryable, persons: readonly number[]) {
  return db
    .selectFrom('contacts as c')
    .select(['c.id', 'c.merged_into', 'c.name', 'c.number', 'c.email', 'c.cpf', 'c.first_name', 'c.last_name'])
    .select([
      'c.business_name',
      'c.birthday_date',
      'c.profile_pic_file',
      'c.is_group',
      'c.blocked',
      'c.chatbot_blocked',
    ])
    .select(['c.kanban', 'c.kanban_order', 'c.extra_info', 'c.merge_state', 'c.created_at'])
    .select([
      sql<number[]>`array(select m.tag_id from contact_tags m where m.tenant_id = c.tenant_id and m.contact_id = c.id
        order by m.tag_id)`.as('tags'),
      sql<
        number[]
      >`array(select m.user_id from contact_wallets m where m.tenant_id = c.tenant_id and m.contact_id = c.id
        order by m.user_id)`.as('wallets'),
      sql<Record<string, string>>`coalesce((select json_object_agg(v.field_id, v.value) from contact_field_values v
        where v.tenant_id = c.tenant_id and v.contact_id = c.id), '{}')`.as('own_fields'),
    ])
    .where(sql<SqlBool>`c.id = any(${bigints(persons)}) or c.merged_into = any(${bigints(persons)})`)
    .orderBy('c.id')
    .execute()
}

/** Overwrites a contact: its columns, its existing tags and wallets, and the person that it belongs to. */
export async function writeMember(
  db: Tx,
  id: number,
  given: {
    readonly mergedInto: number | null
    readonly state: MergeState | null
    readonly columns: Readonly<Record<string, unknown>>
    readonly fields: Readonly<Record<number, string>>
    readonly tags: readonly number[]
    readonly wallets: readonly number[]
    readonly now: Date
  },
): Promise<void> {
  await db
    .updateTable('contacts')
    .set({
      ...given.columns,
      merged_into: given.mergedInto,
      merge_state: given.state && JSON.stringify(given.state),
      updated_at: given.now,
    })
    .where('id', '=', id)
    .execute()
  await sql`delete from contact_field_values where contact_id = ${id}
    and field_id <> all(${bigints(Object.keys(given.fields).map(Number))})`.execute(db)
  await writeFieldValues(db, id, given.fields)
  await sql`delete from contact_tags where contact_id = ${id} and tag_id <> all(${bigints(given.tags)})`.execute(db)
  await sql`insert into contact_tags (tenant_id, contact_id, tag_id)
    select tenant_id, ${id}, id from tags where id = any(${bigints(given.tags)}) order by id on conflict do nothing`.execute(
    db,
  )
  await sql`delete from contact_wallets where contact_id = ${id} and user_id <> all(${bigints(given.wallets)})`.execute(
    db,
  )
  await sql`insert into contact_wallets (tenant_id, contact_id, user_id)
    select tenant_id, ${id}, id from users where id = any(${bigints(given.wallets)}) and is_active order by id
    on conflict do nothing`.execute(db)
}

/** Sets contacts' numbers, except those taken by another contact meanwhile. */
export async function writeNumbers(db: Tx, numbers: ReadonlyMap<number, string>): Promise<void> {
  const rows = [...numbers].map(([id, number]) => ({ id, number: number || null }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id bigint, number text)`
  const ids = bigints(rows.map(({ id }) => id))
  await sql`update contacts c set number = null from ${given}
    where c.tenant_id = app.tenant() and c.id = n.id and c.id = any(${ids}) and c.number is distinct from n.number`.execute(
    db,
  )
  await sql`update contacts c set number = n.number from ${given}
    where c.tenant_id = app.tenant() and c.id = n.id and c.id = any(${ids}) and n.number is not null and c.number is null
      and not exists (select from contacts o where o.tenant_id = c.tenant_id and o.number = n.number)`.execute(db)
}

/** Merge that is in effect. */
export type Edge = { readonly id: number; readonly contactId: number; readonly otherId: number; readonly keep: Keep }

/** Returns the merges in effect among these contacts, in their order. */
export async function edgesOf(db: Queryable, ids: readonly number[]): Promise<Edge[]> {
  const rows = await db
    .selectFrom('contact_merges')
    .select(['id', 'contact_id', 'other_id', 'keep'])
    .where(sql<SqlBool>`other_id = any(${bigints(ids)}) and undone_at is null`)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, contactId: row.contact_id, otherId: row.other_id, keep: row.keep }))
}

/** Inserts a merge and returns its id. */
export async function insertMerge(
  db: Tx,
  merge: { contactId: number; otherId: number; keep: Keep; proof: string; userId: number | null; now: Date },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into contact_merges (tenant_id, contact_id, other_id, keep, proof, user_id, created_at)
    values (app.tenant(), ${merge.contactId}, ${merge.otherId}, ${JSON.stringify(merge.keep)}::jsonb, ${merge.proof}, ${merge.userId}, ${merge.now})
    returning id`.execute(db)
  return firstOf(rows).id
}

/** Returns a merge with whether it is in effect. */
export const findMerge = (db: Queryable, id: number) =>
  db
    .selectFrom('contact_merges')
    .select(['id', 'contact_id', 'other_id', 'undone_at'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Marks a merge as undone. */
export async function endMerge(db: Tx, id: number, by: number | null, now: Date): Promise<void> {
  await db.updateTable('contact_merges').set({ undone_at: now, undone_by: by }).where('id', '=', id).execute()
}

/** Returns a person's merges, undone ones included, newest first, after an id. */
export async function listMerges(
  db: Queryable,
  person: number,
  { before, offset, limit }: { before: number | null; offset: number; limit: number },
) {
  const members = sql`array(select id from contacts where id = ${person} or merged_into = ${person})`
  return db
    .selectFrom('contact_merges as m')
    .innerJoin('contacts as a', (join) =>
      join.onRef('a.tenant_id', '=', 'm.tenant_id').onRef('a.id', '=', 'm.contact_id'),
    )
    .innerJoin('contacts as b', (join) =>
      join.onRef('b.tenant_id', '=', 'm.tenant_id').onRef('b.id', '=', 'm.other_id'),
    )
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'm.tenant_id').onRef('u.id', '=', 'm.user_id'))
    .leftJoin('users as w', (join) => join.onRef('w.tenant_id', '=', 'm.tenant_id').onRef('w.id', '=', 'm.undone_by'))
    .select(['m.id', 'm.proof', 'm.created_at', 'm.undone_at', 'a.id as contact_id', 'a.name as contact_name'])
    .select(['b.id as other_id', 'b.name as other_name', 'b.number as other_number'])
    .select(['u.name as user_name', 'w.name as undone_by_name'])
    .where(sql<SqlBool>`(m.contact_id = any(${members}) or m.other_id = any(${members}))`)
    .$if(before !== null, (query) => query.where('m.id', '<', before))
    .orderBy('m.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Checks whether a user has marked two persons as different, or has undone their merge. */
export async function areDistinct(db: Queryable, a: number, b: number): Promise<boolean> {
  const of = (one: number) => sql`array(select id from contacts where id = ${one} or merged_into = ${one})`
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from distinct_contacts d
        where d.contact_id = any(${of(a)}) and d.other_id = any(${of(b)}) or d.contact_id = any(${of(b)}) and d.other_id = any(${of(a)}))
      or exists (select from contact_merges m where m.undone_at is not null and (
        m.contact_id = any(${of(a)}) and m.other_id = any(${of(b)}) or m.contact_id = any(${of(b)}) and m.other_id = any(${of(a)}))) as known`.execute(
    db,
  )
  return firstOf(rows).known
}

/** Stores that two contacts are different people. */
export async function insertDistinct(db: Tx, a: number, b: number, userId: number, now: Date): Promise<void> {
  await sql`insert into distinct_contacts (tenant_id, contact_id, other_id, user_id, created_at)
    values (app.tenant(), ${Math.min(a, b)}, ${Math.max(a, b)}, ${userId}, ${now}) on conflict do nothing`.execute(db)
}

/** Counts what a merge would add from a person. */
export async function surveyMerge(db: Queryable, other: number) {
  const of = (one: number) => sql`any(array(select id from contacts where id = ${one} or merged_into = ${one}))`
  const { rows } = await sql<{
    tickets: number
    identities: number
  }>`
    select (select count(*)::int from tickets where contact_id = ${of(other)}) as tickets,
      (select count(*)::int from contact_identities where contact_id = ${of(other)}) as identities`.execute(db)
  return firstOf(rows)
}

/** Returns a person's addresses, and the numbers of its contacts that no channel knows yet. */
export async function listIdentities(db: Queryable, person: number) {
  const { rows } = await sql<{
    channel: string
    address: string
    proof: 'provider' | 'person' | 'none'
    since: Date
    last_used_at: Date | null
    blocks_us_since: Date | null
    contact_id: number
    contact_name: string
  }>`
    with parts as materialized (select id, name, number, created_at from contacts where id = ${person} or merged_into = ${person}),
    known as (
      select i.channel, i.identity as address, i.proof, i.created_at as since, i.blocks_us_since, p.id as contact_id, p.name as contact_name
      from parts p join contact_identities i on i.tenant_id = app.tenant() and i.contact_id = p.id
      union all
      select 'phone', p.number, 'person', p.created_at, null, p.id, p.name from parts p
      where p.number is not null and not exists (select from contact_identities i join parts q on q.id = i.contact_id
        where i.tenant_id = app.tenant() and app.line_of(i.identity) = app.line_of(p.number)))
    select k.*, (select max(m.at) from parts p cross join lateral (
        select m.timestamp as at from messages m where m.tenant_id = app.tenant() and m.contact_id = p.id
          and m.conversation_key = k.address and m.send_at is null order by m.timestamp desc limit 1) m) as last_used_at
    from known k order by last_used_at desc nulls last, since desc limit 200`.execute(db)
  return rows
}

/** Returns the persons behind a channel's addresses (`isAddressed`) or numbers, oldest first, without groups. */
export async function personsBehind(
  db: Queryable,
  { channel, addresses, numbers }: { channel: string; addresses: readonly string[]; numbers: readonly string[] },
): Promise<{ id: number; isAddressed: boolean }[]> {
  const { rows } = await sql<{ id: number; isAddressed: boolean }>`
    select p.id, bool_or(f.is_addressed) as "isAddressed" from (
      select i.contact_id as id, true as is_addressed from contact_identities i
      where i.tenant_id = app.tenant() and i.channel = ${channel} and i.identity = any(${[...addresses]}::text[])
      union all select id, false from contacts where number = any(${[...numbers]}::text[])) f
    join contacts c on c.tenant_id = app.tenant() and c.id = f.id
    join contacts p on p.tenant_id = c.tenant_id and p.id = ${personOf('c')}
    where not p.is_group group by p.id order by p.id`.execute(db)
  return rows
}

/** Adds a channel's report to a person: unowned addresses, and the number if the person has none. */
export async function adoptAddress(
  db: Tx,
  person: number,
  {
    channel,
    addresses,
    number,
    now,
  }: { channel: string; addresses: readonly string[]; number: string | null; now: Date },
): Promise<void> {
  await sql`insert into contact_identities (tenant_id, channel, identity, contact_id, created_at)
    select app.tenant(), ${channel}, a.address, ${person}, ${now} from unnest(${[...addresses]}::text[]) as a (address)
    on conflict do nothing`.execute(db)
  if (number === null) return
  await sql`update contacts c set number = ${number}, updated_at = ${now} where c.id = ${person} and c.number is null
    and not exists (select from contacts o where o.tenant_id = c.tenant_id and o.number = ${number})`.execute(db)
}
