import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '#db/types.ts'
import type { BirthdayOn } from '#domain/contacts/birthdays.ts'
import { firstOf } from '#domain/present.ts'
import { contactsFor, type OnlyFor } from '#features/contacts/server/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Contact with a birthday on one of the given days, and its year. */
export type BirthdayOf = { readonly id: number; readonly position: number; readonly year: number }

const given = (days: readonly BirthdayOn[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d (position int, year int, day text)`

const bornOn = (db: Queryable, only: OnlyFor) =>
  contactsFor(db, only)
    .select('contacts.id')
    .where('contacts.birth_day', '=', sql<string>`d.day`)
    // A literal as in the index: with a parameter the planner would read all contacts.
    .where(sql<SqlBool>`contacts.birth_day <> '' and not contacts.is_group`)

/** Returns a page of contacts with a birthday, by day; `after` is the last (position, id). */
export async function pageOfBirthdays(
  db: Queryable,
  days: readonly BirthdayOn[],
  page: { onlyFor: OnlyFor; after: readonly [number, number] | null; offset: number; limit: number },
): Promise<BirthdayOf[]> {
  const { after } = page
  // Reads at most one page of each day by the index, never all contacts.
  const ofDay = bornOn(db, page.onlyFor)
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(d.position, contacts.id) > (${after?.[0]}::int, ${after?.[1]}::bigint)`),
    )
    .orderBy('contacts.id')
    .limit(page.offset + page.limit)
  const { rows } = await sql<BirthdayOf>`select c.id, d.position, d.year from ${given(days)}
    cross join lateral (${ofDay}) c
    order by d.position, c.id limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

/** Counts contacts with a birthday on one of the given days. */
export async function countOfBirthdays(db: Queryable, days: readonly BirthdayOn[], only: OnlyFor): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${given(days)}
    cross join lateral (${bornOn(db, only)} offset 0) c`.execute(db)
  return firstOf(rows).n
}

// SQL for the result of a person's greeting in a year, over all contacts of the person; else the reason of the refusal, the
// contact's own first. `offset 0` keeps it a look-up per person: the planner would otherwise hash the greetings of all days.
const greetingOf = (id: RawBuilder<unknown>, year: RawBuilder<unknown>) => sql`
  select g.contact_id, g.code, g.connection_id, g.created_at from birthday_greetings g
  where g.tenant_id = app.tenant() and g.year = ${year} and g.contact_id = any(array(
    select ${id} union all select r.id from contacts r where r.tenant_id = app.tenant() and r.merged_into = ${id}))
  order by g.code <> '', g.contact_id <> ${id} limit 1 offset 0`

/** Returns the results of greetings by contact and year. */
export async function findGreetings(db: Queryable, people: readonly BirthdayOf[]) {
  const { rows } = await sql<{ id: number; code: string; connection_id: number; created_at: Date }>`
    select p.id, g.code, g.connection_id, g.created_at from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p (id bigint, year int)
    cross join lateral (${greetingOf(sql`p.id`, sql`p.year`)}) g`.execute(db)
  return rows
}

/** Returns the greeting settings of existing connections; null if not set. */
export const listSettings = (db: Queryable, connectionId?: number) =>
  db
    .selectFrom('connections as c')
    .leftJoin('birthday_settings as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.connection_id', '=', 'c.id'),
    )
    .leftJoin('files as f', (join) => join.onRef('f.tenant_id', '=', 's.tenant_id').onRef('f.id', '=', 's.file_id'))
    .select(['c.id', 'c.name', 'c.type', 's.is_on', 's.hour', 's.message', 's.file_id'])
    .select(['f.name as file_name', 'f.mime as file_mime'])
    .where('c.is_deleted', '=', false)
    .$if(connectionId !== undefined, (query) => query.where('c.id', '=', connectionId!))
    .orderBy('c.is_default', 'desc')
    .orderBy('c.id')
    .limit(200)
    .execute()

/** Greeting settings of a connection. */
export type StoredSetting = Awaited<ReturnType<typeof listSettings>>[number]

/** Stores a connection's greeting settings; an omitted `file_id` remains unchanged. */
export async function saveSetting(db: Tx, row: Omit<Insertable<DB['birthday_settings']>, 'tenant_id'>): Promise<void> {
  const { connection_id, ...values } = row
  await db
    .insertInto('birthday_settings')
    .values({ tenant_id: sql`app.tenant()`, connection_id, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'connection_id']).doUpdateSet(values))
    .execute()
}

/** Returns active companies with a connection that sends greetings automatically. */
export async function tenantsThatGreet(db: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tenants t where t.status = 'active'
      and exists (select from birthday_settings s where s.tenant_id = t.id and s.is_on)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns some contacts with a birthday on a day without an attempted greeting this year. */
export async function findDue(db: Queryable, days: readonly BirthdayOn[], most: number): Promise<BirthdayOf[]> {
  const { rows } = await sql<BirthdayOf>`select c.id, d.position, d.year from ${given(days)}
    join contacts c on c.birth_day = d.day and c.birth_day <> '' and not c.is_group and c.merged_into is null
    where not exists (select from (${greetingOf(sql`c.id`, sql`d.year`)}) g where g.code = '' or g.contact_id = c.id)
    order by c.id limit ${most}`.execute(db)
  return rows
}

/** Returns contacts with a birthday on the given days: the listed ones, else those not greeted yet, without an attempt first. */
export async function findToGreet(
  db: Queryable,
  days: readonly BirthdayOn[],
  { onlyFor, ids, most }: { onlyFor: OnlyFor; ids: readonly number[] | null; most: number },
): Promise<BirthdayOf[]> {
  const wanted = bornOn(db, onlyFor).$if(ids !== null, (query) =>
    query.where(sql<SqlBool>`contacts.id = any(${[...(ids ?? [])]}::bigint[])`),
  )
  const { rows } = await sql<BirthdayOf>`select c.id, d.position, d.year from ${given(days)}
    cross join lateral (${wanted} offset 0) c
    left join lateral (${greetingOf(sql`c.id`, sql`d.year`)}) g on true
    ${ids === null ? sql`where g.code is distinct from ''` : sql``}
    order by g.contact_id is not null, c.id limit ${most}`.execute(db)
  return rows
}

/**
 * Claims this year's greetings of contacts; returns those that no other process has. Concurrent claims wait for the
 * transaction's end.
 */
export async function claimGreetings(
  db: Tx,
  people: readonly BirthdayOf[],
  connectionId: number,
  now: Date,
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    insert into birthday_greetings as g (tenant_id, contact_id, year, connection_id, code, created_at)
    select app.tenant(), p.id, p.year, ${connectionId}, '', ${now}
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p (id bigint, year int)
    where not exists (select from (${greetingOf(sql`p.id`, sql`p.year`)}) g where g.code = '') order by p.id
    on conflict (tenant_id, contact_id, year) do update
      set connection_id = excluded.connection_id, code = '', created_at = excluded.created_at where g.code <> ''
    returning g.contact_id as id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Stores why contacts were not greeted. */
export async function refuseGreetings(
  db: Tx,
  refused: readonly { readonly id: number; readonly year: number; readonly code: string }[],
): Promise<void> {
  await sql`update birthday_greetings g set code = r.code
    from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as r (id bigint, year int, code text)
    where g.tenant_id = app.tenant() and g.contact_id = r.id and g.year = r.year`.execute(db)
}
