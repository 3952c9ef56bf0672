import { type Insertable, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { ownValuesOf } from '#server/own-fields.ts'
import { contactFieldTables } from './queries-fields.ts'
import { contactsFor, type OnlyFor } from './queries-list.ts'

/** Maximum number of addresses shown, newest first. */
const MOST_ADDRESSES = 50

/** Returns contacts by id with their tags, wallets and channels, sorted by name. */
export function loadContacts(db: Queryable, ids: readonly number[]) {
  return db
    .selectFrom('contacts as c')
    .selectAll('c')
    .select([
      sql<{ id: number; tag: string; color: string }[]>`coalesce((
        select json_agg(json_build_object('id', g.id, 'tag', g.tag, 'color', g.color) order by g.tag)
        from contact_tags m join tags g on g.tenant_id = m.tenant_id and g.id = m.tag_id
        where m.tenant_id = c.tenant_id and m.contact_id = c.id), '[]')`.as('tags'),
      sql<{ id: number; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name)
        from contact_wallets m join users p on p.tenant_id = m.tenant_id and p.id = m.user_id
        where m.tenant_id = c.tenant_id and m.contact_id = c.id), '[]')`.as('wallets'),
      sql<{ channel: string; identity: string }[]>`coalesce((
        select json_agg(json_build_object('channel', i.channel, 'identity', i.identity) order by i.created_at desc) from (
          select channel, identity, created_at from contact_identities m
          where m.tenant_id = c.tenant_id and m.contact_id = any(array(select r.id from contacts r
              where r.tenant_id = c.tenant_id and (r.id = c.id or r.merged_into = c.id)))
          order by created_at desc limit ${MOST_ADDRESSES}) i), '[]')`.as('addresses'),
      ownValuesOf(contactFieldTables, { tenant: 'c.tenant_id', id: 'c.id' }).as('own_fields'),
    ])
    .where(sql<SqlBool>`c.id = any(${[...ids]}::bigint[])`)
    .orderBy('c.sort_name')
    .orderBy('c.id')
    .execute()
}

/** Contact as `loadContacts` returns it. */
export type ContactRecord = Awaited<ReturnType<typeof loadContacts>>[number]

/** Checks that the user may see the contact. */
export async function maySee(db: Queryable, id: number, onlyFor: OnlyFor): Promise<boolean> {
  return (
    (await contactsFor(db, onlyFor).select('contacts.id').where('contacts.id', '=', id).executeTakeFirst()) !==
    undefined
  )
}

/** Locks a contact until the end of the transaction. */
export const lockContact = (db: Tx, id: number) =>
  db.selectFrom('contacts').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Returns the oldest contact with one of the numbers, except `except` and contacts merged into it; for a merged one the
 * person.
 */
export async function findByNumber(
  db: Queryable,
  numbers: readonly string[],
  except?: number,
): Promise<{ id: number; name: string; number: string | null } | undefined> {
  const { rows } = await sql<{ id: number; name: string; number: string | null }>`
    select id, name, number from contacts where id = any(array(
      select coalesce(merged_into, id) from contacts where number = any(${[...numbers]}::text[]))) and id <> ${except ?? 0}
    order by id limit 1`.execute(db)
  return rows[0]
}

/** Counts the tickets of a contact. */
export async function countTickets(db: Queryable, contactId: number): Promise<number> {
  const { n } = await db
    .selectFrom('tickets')
    .select((counting) => counting.fn.countAll<number>().as('n'))
    .where(
      sql<SqlBool>`contact_id = any(array(select id from contacts where id = ${contactId} or merged_into = ${contactId}))`,
    )
    .executeTakeFirstOrThrow()
  return n
}

/** Columns of a contact that its form changes. */
export type ContactValues = Partial<
  Pick<
    Insertable<DB['contacts']>,
    | 'name'
    | 'number'
    | 'email'
    | 'cpf'
    | 'first_name'
    | 'last_name'
    | 'business_name'
    | 'birthday_date'
    | 'blocked'
    | 'chatbot_blocked'
    | 'extra_info'
    | 'pushname'
    | 'is_named_by_channel'
    | 'profile_pic_file'
  >
>

/** Inserts a contact and returns its id. */
export async function insertContact(db: Tx, values: ContactValues & { name: string }): Promise<number> {
  const { id } = await db
    .insertInto('contacts')
    .values({ tenant_id: sql`app.tenant()`, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a contact. */
export const updateContact = (db: Tx, id: number, values: ContactValues) =>
  db
    .updateTable('contacts')
    .set({ ...values, updated_at: sql`app.now()` })
    .where('id', '=', id)
    .execute()

/** Deletes a contact with its tags, wallets and identities. */
export const deleteContact = (db: Tx, id: number) => db.deleteFrom('contacts').where('id', '=', id).execute()

/** Counts the existing tags among the ids. */
export async function countTags(db: Queryable, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  return (
    await db
      .selectFrom('tags')
      .select('id')
      .where('id', 'in', [...ids])
      .execute()
  ).length
}

/** Counts the existing active users among the ids. */
export async function countUsers(db: Queryable, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  const users = db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...ids])
  return (await users.where('is_active', '=', true).execute()).length
}

/** Replaces the tags of a contact. */
export async function replaceTags(db: Tx, contactId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('contact_tags').where('contact_id', '=', contactId).execute()
  if (ids.length === 0) return
  const rows = ids.map((tag_id) => ({ tenant_id: sql<number>`app.tenant()`, contact_id: contactId, tag_id }))
  await db.insertInto('contact_tags').values(rows).execute()
}

/** Replaces the wallets of a contact. */
export async function replaceWallets(db: Tx, contactId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('contact_wallets').where('contact_id', '=', contactId).execute()
  if (ids.length === 0) return
  const rows = ids.map((user_id) => ({ tenant_id: sql<number>`app.tenant()`, contact_id: contactId, user_id }))
  await db.insertInto('contact_wallets').values(rows).execute()
}

/** Removes a leaving user's wallet from all contacts. */
export async function forgetWallets(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('contact_wallets').where('user_id', '=', id).execute()
}

/** Checks that the kanban stage exists. */
export const stageExists = async (db: Queryable, id: number): Promise<boolean> =>
  (await db.selectFrom('stages').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Sets whether chat flows skip a contact. */
export async function setChatbotBlocked(db: Tx, contactId: number, isBlocked: boolean): Promise<void> {
  await db.updateTable('contacts').set({ chatbot_blocked: isBlocked }).where('id', '=', contactId).execute()
}

/** Checks whether a person, merged contacts included, has opportunities in the funnel. */
export async function hasOpportunities(db: Queryable, person: number): Promise<boolean> {
  const { rows } = await sql`select from opportunities where contact_id = any(array(
    select id from contacts where id = ${person} or merged_into = ${person})) limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the ids of a person and of the contacts merged into it. */
export async function partsOf(db: Queryable, person: number): Promise<number[]> {
  const rows = await db
    .selectFrom('contacts')
    .select('id')
    .where((row) => row.or([row('id', '=', person), row('merged_into', '=', person)]))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
