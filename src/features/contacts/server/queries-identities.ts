import { sql } from 'kysely'
import { spellingsOf, withNinthDigit } from '#domain/phone/brazil.ts'
import type { KnownContact, Sender } from '#features/conversations/server/index.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** Finds the contacts of identities; keyed `channel|identity`. */
export async function findContacts(db: Queryable, senders: readonly Sender[]): Promise<Map<string, KnownContact>> {
  const { rows } = await sql<{ key: string; id: number; name: string; blocked: boolean }>`
    select i.channel || '|' || i.identity as key, c.id, c.name, c.blocked
    from jsonb_to_recordset(${JSON.stringify(senders)}::jsonb) as s (channel text, identity text)
    cross join lateral (select * from contact_identities i
      where i.tenant_id = app.tenant() and i.channel = s.channel and i.identity = s.identity offset 0) i
    join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id`.execute(db)
  return new Map(rows.map(({ key, ...contact }) => [key, contact]))
}

/**
 * Finds the contacts of numbers (with or without the ninth digit; the oldest where there are several) whose identities nobody
 * knows, creates those that are new, and lets the channel know them by these identities; keyed `channel|identity`.
 */
export async function meetContacts(db: Tx, senders: readonly Sender[]): Promise<Map<string, KnownContact>> {
  const found = new Map<string, KnownContact>()
  for (const sender of senders) {
    const spellings = sender.number === null ? [] : spellingsOf(sender.number)
    // Kept in one form, so that of two who make it at once the unique constraint lets only one.
    const number = sender.number && withNinthDigit(`+${sender.number}`).slice(1)
    const { rows } = await sql<KnownContact>`
      with found as materialized (select id, name, blocked from contacts where number = any(${spellings}::text[])),
      existing as (select * from found order by id limit 1),
      made as (
        insert into contacts (tenant_id, name, number, email, is_group)
        select app.tenant(), ${sender.name}, ${number}, ${sender.email}, ${sender.isGroup ?? false} where not exists (select from existing)
        on conflict on constraint contacts_number do update set number = excluded.number
        returning id, name, blocked)
      select * from existing union all select * from made`.execute(db)
    const contact = rows[0]!
    await sql`insert into contact_identities (tenant_id, channel, identity, contact_id)
      values (app.tenant(), ${sender.channel}, ${sender.identity}, ${contact.id}) on conflict do nothing`.execute(db)
    found.set(`${sender.channel}|${sender.identity}`, contact)
  }
  return found
}

/** How a channel knows a contact; the newest where it knows several. */
export async function findIdentity(db: Queryable, contactId: number, channel: string): Promise<string | undefined> {
  const known = await db
    .selectFrom('contact_identities')
    .select('identity')
    .where('contact_id', '=', contactId)
    .where('channel', '=', channel)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return known?.identity
}

/** How a channel knows contacts, else (`mayBegin`) their numbers where those are nobody else's there; others are missing. */
export async function findAddresses(
  db: Queryable,
  contactIds: readonly number[],
  { channel, mayBegin }: { readonly channel: string; readonly mayBegin: boolean },
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; address: string }>`
    select id, address from (
      select c.id, coalesce(
        (select i.identity from contact_identities i
          where i.tenant_id = c.tenant_id and i.contact_id = c.id and i.channel = ${channel} order by i.created_at desc limit 1),
        case when ${mayBegin} and not exists (select from contact_identities o
          where o.tenant_id = c.tenant_id and o.channel = ${channel} and o.identity = c.number) then c.number end) as address
      from contacts c where c.id = any(${[...contactIds]}::bigint[])) known
    where address is not null`.execute(db)
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** Lets channels know contacts by identities; false when one of them is somebody else's. */
export async function claimIdentities(
  db: Tx,
  identities: readonly { contactId: number; channel: string; identity: string }[],
): Promise<boolean> {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(identities)}::jsonb) as l ("contactId" bigint, channel text, identity text)`
  await sql`insert into contact_identities (tenant_id, channel, identity, contact_id)
    select app.tenant(), l.channel, l.identity, l."contactId" from ${wanted} order by 2, 3 on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${wanted} join contact_identities i
      on i.tenant_id = app.tenant() and i.channel = l.channel and i.identity = l.identity and i.contact_id = l."contactId"`.execute(
    db,
  )
  return rows[0]!.n === identities.length
}

/** Lets a channel know a contact by an identity; false when it is somebody else's. */
export async function claimIdentity(db: Tx, contactId: number, channel: string, identity: string): Promise<boolean> {
  await db
    .insertInto('contact_identities')
    .values({ tenant_id: sql<number>`app.tenant()`, channel, identity, contact_id: contactId })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'channel', 'identity']).doNothing())
    .execute()
  const owner = await db
    .selectFrom('contact_identities')
    .select('contact_id')
    .where('channel', '=', channel)
    .where('identity', '=', identity)
    .executeTakeFirstOrThrow()
  return owner.contact_id === contactId
}

// A site tells as often as it likes; a contact keeps the first hundred fields.
const MOST_EXTRA = 100

/** Adds what a site told about its reader to the contact: empty fields are filled, proven ones replaced. */
export async function describeContact(
  db: Tx,
  id: number,
  given: { name: string; email: string; isProven: boolean; attributes: Record<string, string> },
): Promise<void> {
  const extra = Object.entries(given.attributes).map(([name, value]) => ({ id: `webchat:${name}`, name, value }))
  await sql`
    update contacts set
      name = case when ${given.name} <> '' and (${given.isProven} or name like 'Visitante %') then ${given.name} else name end,
      email = case when ${given.email} <> '' and (${given.isProven} or email = '') then ${given.email} else email end,
      extra_info = (
        select coalesce(jsonb_agg(entry), '[]') from (
          select entry from jsonb_array_elements(extra_info) entry
            where entry ->> 'id' not in (select e ->> 'id' from jsonb_array_elements(${JSON.stringify(extra)}::jsonb) e)
          union all select entry from jsonb_array_elements(${JSON.stringify(extra)}::jsonb) entry
          limit ${MOST_EXTRA}) merged),
      updated_at = app.now()
    where id = ${id}`.execute(db)
}
