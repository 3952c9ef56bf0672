import { sql } from 'kysely'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { Queryable } from '#server/db/db.ts'

/**
 * Returns the ticket of each conversation of a connection: the active one, or that of the person at the address, else the
 * latest; conversations without any are missing.
 */
export async function findTicketsOfKeys(
  db: Queryable,
  { id: connectionId, type }: { readonly id: number; readonly type: string },
  keys: readonly string[],
): Promise<Map<string, number>> {
  const asked = keys.map((key) => ({ key, other: spellingsOf(key)[1] ?? key }))
  const here = sql`t.tenant_id = app.tenant() and t.connection_id = ${connectionId}`
  const { rows } = await sql<{ key: string; id: number }>`
    select key, id from (select asked.key, coalesce(
      (select t.id from tickets t where ${here} and t.status in ('open', 'pending') and t.conversation_key in (asked.key, asked.other) limit 1),
      (select t.id from tickets t where ${here} and t.status in ('open', 'pending') and not t.is_group and t.contact_id = app.person_at(${type}, asked.key) limit 1),
      (select t.id from tickets t where ${here} and t.conversation_key in (asked.key, asked.other) order by t.id desc limit 1)
    ) as id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (key text, other text)) known
    where id is not null`.execute(db)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

type ReachedContact = {
  readonly id: number
  readonly number: string | null
  readonly is_group: boolean
  readonly blocked: boolean
  readonly chatbot_blocked: boolean
}

/** Returns contacts by the requested ids; a merged one as the person that it is part of. */
export async function findContacts(db: Queryable, ids: readonly number[]): Promise<Map<number, ReachedContact>> {
  const { rows } = await sql<ReachedContact & { asked: number }>`
    select asked.id as asked, c.id, c.number, c.is_group, c.blocked, c.chatbot_blocked from unnest(${[...ids]}::bigint[]) as asked (id)
    cross join lateral (select coalesce(one.merged_into, one.id) as id from contacts one
      where one.tenant_id = app.tenant() and one.id = asked.id offset 0) person
    cross join lateral (select * from contacts known
      where known.tenant_id = app.tenant() and known.id = person.id offset 0) c`.execute(db)
  return new Map(rows.map(({ asked, ...contact }) => [asked, contact]))
}
