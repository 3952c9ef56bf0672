import { sql } from 'kysely'
import type { Member } from '#domain/groups/members.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Stored member of a group. */
export type MemberRow = Member & { readonly id: number; readonly contactId: number }

const columns = sql`id, contact_id as "contactId", identity, name, number, is_admin as "isAdmin", is_member as "isMember",
  (extract(epoch from changed_at) * 1000)::float8 as "changedAt"`

/** Returns current and former members of groups: those with these identities, and all of the groups in `whole`. */
export async function findMembers(
  db: Queryable,
  { identities, of, whole }: { identities: readonly string[]; of: readonly number[]; whole: readonly number[] },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from group_members where tenant_id = app.tenant() and contact_id = any(${of}::bigint[])
      and (identity = any(${identities}::text[]) or contact_id = any(${whole}::bigint[]))`.execute(db)
  return rows
}

/** Returns the admins of groups. */
export async function adminsOf(db: Queryable, groups: readonly number[]): Promise<MemberRow[]> {
  if (groups.length === 0) return []
  const { rows } = await sql<MemberRow>`
    select ${columns} from group_members where tenant_id = app.tenant() and contact_id = any(${groups}::bigint[])
      and is_admin and is_member`.execute(db)
  return rows
}

/** Returns the columns of a ticket that mentions in its group need. */
export const groupOf = (db: Queryable, ticketId: number) =>
  db.selectFrom('tickets').select(['is_group', 'channel', 'contact_id']).where('id', '=', ticketId).executeTakeFirst()

/** Returns the members of a group, admins first, then by name. */
export async function membersOf(db: Queryable, contactId: number, most: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from group_members where tenant_id = app.tenant() and contact_id = ${contactId} and is_member
    order by is_admin desc, lower(name), id limit ${sql.lit(most)}`.execute(db)
  return rows
}

/** Stores the current state of members; returns their ids by group and identity. */
export async function saveMembers(
  db: Tx,
  members: readonly (Member & { readonly contactId: number })[],
  now: Date,
): Promise<{ id: number; contactId: number; identity: string }[]> {
  const { rows } = await sql<{ id: number; contactId: number; identity: string }>`
    insert into group_members (tenant_id, contact_id, identity, name, number, is_admin, is_member, changed_at, updated_at)
    select app.tenant(), m."contactId", m.identity, m.name, m.number, m."isAdmin", m."isMember", to_timestamp(m."changedAt" / 1000.0), ${now}
    from jsonb_to_recordset(${JSON.stringify(members)}::jsonb)
      as m ("contactId" bigint, identity text, name text, number text, "isAdmin" boolean, "isMember" boolean, "changedAt" double precision)
    on conflict on constraint group_members_identity do update set name = excluded.name, number = excluded.number,
      is_admin = excluded.is_admin, is_member = excluded.is_member, changed_at = excluded.changed_at, updated_at = excluded.updated_at
    returning id, contact_id as "contactId", identity`.execute(db)
  return rows
}

/** Returns the latest ticket of a conversation, and its beginning. */
export async function lastTicket(
  db: Queryable,
  { connectionId, conversationKey }: { connectionId: number; conversationKey: string },
): Promise<{ id: number; created_at: Date } | undefined> {
  return db
    .selectFrom('tickets')
    .select(['id', 'created_at'])
    .where('connection_id', '=', connectionId)
    .where('conversation_key', '=', conversationKey)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the tickets of a group. */
export async function groupTickets(db: Queryable, contactId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('id')
    .where('contact_id', '=', contactId)
    .where('is_group', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns ids of the users who see a group through its tickets. */
export async function groupUsersOf(db: Queryable, contactId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct u.user_id as id from tickets t
    join ticket_group_users u on u.tenant_id = t.tenant_id and u.ticket_id = t.id
    where t.contact_id = ${contactId} and t.is_group order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
