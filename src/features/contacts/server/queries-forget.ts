import { sql } from 'kysely'
import type { MergeState } from '#domain/contacts/person.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

const NAMELESS = 'Pessoa esquecida'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Returns the identifiers of contacts: numbers in all spellings, addresses, e-mails, documents. */
export async function identifiersOf(db: Queryable, contactIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ identifier: string; isNumber: boolean }>`
    select number as identifier, true as "isNumber" from contacts where id = any(${bigints(contactIds)}) and number is not null
    union select email, false from contacts where id = any(${bigints(contactIds)}) and email <> ''
    union select cpf, false from contacts where id = any(${bigints(contactIds)}) and cpf <> ''
    union select identity, true from contact_identities where contact_id = any(${bigints(contactIds)})
    union select conversation_key, true from tickets where contact_id = any(${bigints(contactIds)}) and not is_group`.execute(
    db,
  )
  return [...new Set(rows.flatMap(({ identifier, isNumber }) => (isNumber ? spellingsOf(identifier) : [identifier])))]
}

/** Returns the ticket ids of contacts. */
export async function ticketIdsOf(db: Queryable, contactIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where contact_id = any(${bigints(contactIds)}) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Empties contacts: removes names, numbers, addresses, fields and recorded changes; the rows remain. */
export async function emptyContacts(db: Tx, contactIds: readonly number[], now: Date): Promise<string[]> {
  const ids = bigints(contactIds)
  // A contact that is separated again has a name, too.
  const facts = { name: NAMELESS }
  const state = JSON.stringify({ own: facts, shown: facts, edits: {} } satisfies MergeState)
  const { rows } = await sql<{ fileId: string }>`
    select profile_pic_file as "fileId" from contacts where id = any(${ids}) and profile_pic_file is not null`.execute(
    db,
  )
  await sql`delete from contact_identities where contact_id = any(${ids})`.execute(db)
  await sql`delete from contact_field_values where contact_id = any(${ids})`.execute(db)
  await sql`delete from contact_changes where contact_id = any(${ids})`.execute(db)
  await sql`
    update contacts set name = ${NAMELESS}, number = null, email = '', cpf = '', first_name = '', last_name = '',
      business_name = '', birthday_date = '', profile_pic_file = null, extra_info = '[]', pushname = '', merge_state = case
        when merge_state is null then null else ${state}::jsonb end, updated_at = ${now}
    where id = any(${ids})`.execute(db)
  return rows.map(({ fileId }) => fileId)
}

/** Counts what emptying contacts would erase, apart from messages. */
export async function surveyContacts(db: Queryable, contactIds: readonly number[]) {
  const ids = bigints(contactIds)
  const { rows } = await sql<{ fields: number; changes: number; identities: number }>`
    select (select count(*)::int from contact_field_values where contact_id = any(${ids})) as fields,
      (select count(*)::int from contact_changes where contact_id = any(${ids})) as changes,
      (select count(*)::int from contact_identities where contact_id = any(${ids})) as identities`.execute(db)
  return firstOf(rows)
}

/** Row of an erasure certificate. */
export type Certificate = {
  readonly id: number
  readonly contact_id: number
  readonly user_name: string
  readonly counts: unknown
  readonly fingerprints: string[]
  readonly signature: string
  readonly created_at: Date
}

/** Inserts a certificate and returns its id. */
export async function insertCertificate(
  db: Tx,
  given: {
    readonly contactId: number
    readonly userId: number
    readonly userName: string
    readonly counts: object
    readonly fingerprints: readonly string[]
    readonly signature: string
    readonly now: Date
  },
): Promise<number> {
  const { id } = await db
    .insertInto('forgotten_contacts')
    .values({
      tenant_id: sql`app.tenant()`,
      contact_id: given.contactId,
      user_id: given.userId,
      user_name: given.userName,
      counts: JSON.stringify(given.counts),
      fingerprints: JSON.stringify(given.fingerprints),
      signature: given.signature,
      created_at: given.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the certificates of a contact, newest first. */
export const certificatesOf = (db: Queryable, contactId: number): Promise<Certificate[]> =>
  db
    .selectFrom('forgotten_contacts')
    .select(['id', 'contact_id', 'user_name', 'counts', 'fingerprints', 'signature', 'created_at'])
    .where('contact_id', '=', contactId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
