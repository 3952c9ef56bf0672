import { type SqlBool, sql } from 'kysely'
import { foldText } from '#domain/flow/fold.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { OWN_FIELD } from '../../forms.ts'
import { writeValues } from '../queries-fields.ts'
import type { OnlyFor } from '../queries-list.ts'
import { type Image, type RowKey, textOf } from './rows.ts'

/** Existing contact, as compared with lines. */
export type Known = Awaited<ReturnType<typeof readKnown>>[number]

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`
const texts = (values: readonly string[]) => sql`${[...values]}::text[]`
const person = sql`coalesce(c.merged_into, c.id) as person`

/** Returns the person that each key matches, the oldest of several; groups are excluded. */
export async function findPersons(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, number>> {
  const of = (kind: RowKey['kind']) => keys.filter((one) => one.kind === kind).map(({ value }) => value)
  const { rows } = await sql<RowKey & { person: number }>`
    with names as materialized (select given, app.fold(given) as folded from unnest(${texts(of('name'))}) given),
    found as (
      select 'number' as kind, c.number as value, c.id, ${person} from contacts c
        where c.number = any(${texts(of('number').flatMap(spellingsOf))}) and not c.is_group
      union all
      select 'email', c.email, c.id, ${person} from contacts c
        where c.email = any(${texts(of('email'))}) and c.email <> '' and not c.is_group
      union all
      select 'cpf', c.cpf, c.id, ${person} from contacts c
        where c.cpf = any(${texts(of('cpf'))}) and c.cpf <> '' and not c.is_group
      union all
      select 'name', names.given, c.id, ${person} from names cross join lateral (select * from contacts c
        where c.sort_name = names.folded and c.number is null and not c.is_group order by c.id limit 1) c)
    select distinct on (kind, value) kind, value, person from found order by kind, value, id`.execute(db)
  return new Map(rows.map((row) => [textOf(row), row.person]))
}

/** Returns existing contacts for comparison with lines, by id; missing ones are omitted. */
export async function readKnown(db: Queryable, ids: readonly number[], onlyFor: OnlyFor) {
  const rows = await db
    .selectFrom('contacts as c')
    .select(['c.id', 'c.name', 'c.number', 'c.email', 'c.cpf', 'c.first_name', 'c.last_name', 'c.business_name'])
    .select([
      'c.birthday_date',
      'c.extra_info',
      sql<number[]>`array(select m.tag_id from contact_tags m where m.tenant_id = c.tenant_id and m.contact_id = c.id
        order by m.tag_id)`.as('tags'),
      sql<number[]>`array(select m.user_id from contact_wallets m where m.tenant_id = c.tenant_id
        and m.contact_id = c.id order by m.user_id)`.as('wallets'),
      sql<Record<string, string>>`coalesce((select json_object_agg(${OWN_FIELD} || v.field_id, v.value)
        from contact_field_values v where v.tenant_id = c.tenant_id and v.contact_id = c.id), '{}')`.as('own'),
    ])
    .where(sql<SqlBool>`c.id = any(${bigints(ids)})`)
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    isSeen: onlyFor === null || row.wallets.length === 0 || row.wallets.includes(onlyFor),
  }))
}

/** Returns the ids of the company's tags by folded name (no accents and case); of equal names the older tag. */
export async function listTagIds(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.selectFrom('tags').select(['id', 'tag']).orderBy('id', 'desc').execute()
  return new Map(rows.map(({ id, tag }) => [foldText(tag), id]))
}

/** Locks contacts until the end of the transaction, in order of id. */
export async function lockKnown(db: Tx, ids: readonly number[]): Promise<void> {
  await sql`select from contacts where id = any(${bigints(ids)}) order by id for no key update`.execute(db)
}

/** Contact to create; fields by column. */
export type NewContact = { readonly line: number; readonly number: string | null; readonly values: Image }

const ROW = sql`(line int, number text, name text, email text, cpf text, first_name text, last_name text,
  business_name text, birthday_date text, extra_info jsonb)`

/** Inserts new contacts; returns their ids by line, without those whose number was taken concurrently. */
export async function insertContacts(
  db: Tx,
  made: readonly NewContact[],
  { needsSource, now }: { readonly needsSource: boolean; readonly now: Date },
): Promise<ReadonlyMap<number, number>> {
  if (made.length === 0) return new Map()
  const given = made.map(({ line, number, values }) => ({ line, number, ...values }))
  const { rows } = await sql<{ id: number; number: string | null }>`
    insert into contacts (tenant_id, number, name, email, cpf, first_name, last_name, business_name, birthday_date,
      extra_info, needs_source, created_at, updated_at)
    select app.tenant(), g.number, g.name, coalesce(g.email, ''), coalesce(g.cpf, ''), coalesce(g.first_name, ''),
      coalesce(g.last_name, ''), coalesce(g.business_name, ''), coalesce(g.birthday_date, ''),
      coalesce(g.extra_info, '[]'), ${needsSource}, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g ${ROW} order by g.line
    on conflict on constraint contacts_number do nothing returning id, number`.execute(db)
  const lineOf = new Map(made.map(({ number, line }) => [number, line]))
  // Ids follow the order of lines; only contacts with a number can conflict.
  const bare = made.filter(({ number }) => number === null).map(({ line }) => line)
  const sorted = [...rows].sort((a, b) => a.id - b.id)
  return new Map(sorted.map(({ id, number }) => [number === null ? bare.shift()! : lineOf.get(number)!, id]))
}

/** Clears `needs_source` of contacts, whose consent source has been declared. */
export async function clearNeedsSource(db: Tx, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('contacts')
    .set({ needs_source: false })
    .where('id', 'in', ids)
    .where('needs_source', '=', true)
    .execute()
}

/** Contact with new values of some fields. */
export type FieldChange = { readonly id: number; readonly after: Image }

/** Updates fields of contacts by column; unnamed ones stay. */
export async function writeFields(db: Tx, changes: readonly FieldChange[], now: Date): Promise<void> {
  const fields = changes.map(({ id, after: { tags: _, wallets: __, ...columns } }) => ({ id, ...columns }))
  await sql`
    update contacts c set name = coalesce(g.name, c.name), email = coalesce(g.email, c.email), cpf = coalesce(g.cpf, c.cpf),
      first_name = coalesce(g.first_name, c.first_name), last_name = coalesce(g.last_name, c.last_name),
      business_name = coalesce(g.business_name, c.business_name), birthday_date = coalesce(g.birthday_date, c.birthday_date),
      extra_info = coalesce(g.extra_info, c.extra_info),
      is_named_by_channel = c.is_named_by_channel and g.name is null, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as g (id bigint, name text, email text, cpf text, first_name text,
      last_name text, business_name text, birthday_date text, extra_info jsonb)
    where c.tenant_id = app.tenant() and c.id = g.id`.execute(db)
  await writeSets(db, changes)
}

/** Writes tags, wallets and custom field values of contacts, where named. */
export async function writeSets(db: Tx, changes: readonly FieldChange[]): Promise<void> {
  const lists = (key: 'tags' | 'wallets') =>
    changes.flatMap(({ id, after }) => (after[key] === undefined ? [] : [{ id, list: after[key] }]))
  await writeTags(db, lists('tags'))
  await writeWallets(db, lists('wallets'))
  const own = changes.flatMap(({ id, after }) =>
    Object.entries(after)
      .filter(([column]) => column.startsWith(OWN_FIELD))
      .map(([column, value]) => ({ contactId: id, id: Number(column.slice(OWN_FIELD.length)), value: String(value) })),
  )
  await writeValues(db, own)
}

type IdLists = readonly { readonly id: number; readonly list: unknown }[]
const idLists = (lists: IdLists) =>
  sql`jsonb_to_recordset(${JSON.stringify(lists)}::jsonb) as g (id bigint, list bigint[])`

async function writeTags(db: Tx, lists: IdLists): Promise<void> {
  if (lists.length === 0) return
  await sql`delete from contact_tags h using ${idLists(lists)}
    where h.tenant_id = app.tenant() and h.contact_id = g.id and h.tag_id <> all(g.list)`.execute(db)
  await sql`insert into contact_tags (tenant_id, contact_id, tag_id)
    select o.tenant_id, g.id, o.id from ${idLists(lists)} join tags o on o.tenant_id = app.tenant() and o.id = any(g.list)
    order by g.id, o.id on conflict do nothing`.execute(db)
}

async function writeWallets(db: Tx, lists: IdLists): Promise<void> {
  if (lists.length === 0) return
  await sql`delete from contact_wallets h using ${idLists(lists)}
    where h.tenant_id = app.tenant() and h.contact_id = g.id and h.user_id <> all(g.list)`.execute(db)
  await sql`insert into contact_wallets (tenant_id, contact_id, user_id)
    select o.tenant_id, g.id, o.id from ${idLists(lists)} join users o on o.tenant_id = app.tenant() and o.id = any(g.list)
    order by g.id, o.id on conflict do nothing`.execute(db)
}

/**
 * Deletes contacts that are unchanged since their creation and have no ticket, merge or stage. Returns the number deleted
 * and the number left. `tags` and `wallets` are those that the import set; null where each line named its own tags.
 */
export async function removeUntouched(
  db: Tx,
  made: readonly number[],
  { tags, wallets }: { readonly tags: readonly number[] | null; readonly wallets: readonly number[] },
): Promise<{ removed: number; left: number }> {
  const { rows } = await sql<{ removed: number; left: number }>`with gone as (
    delete from contacts c
    where c.tenant_id = app.tenant() and c.id = any(${bigints(made)}) and c.updated_at = c.created_at and c.merge_state is null
      and not exists (select from tickets t where t.tenant_id = c.tenant_id and t.contact_id = c.id)
      and (${tags === null}::bool or array(select m.tag_id from contact_tags m where m.tenant_id = c.tenant_id and m.contact_id = c.id order by 1)
        = array(select unnest(${bigints(tags ?? [])}) order by 1))
      and array(select m.user_id from contact_wallets m where m.tenant_id = c.tenant_id and m.contact_id = c.id order by 1)
        = array(select unnest(${bigints(wallets)}) order by 1)
    returning c.id)
    select (select count(*) from gone)::int as removed, (count(*) - (select count(*) from gone))::int as left
    from contacts where id = any(${bigints(made)})`.execute(db)
  return rows[0]!
}
