import { sql } from 'kysely'
import { spellingsOf, withNinthDigit } from '#domain/phone/brazil.ts'
import { firstOf } from '#domain/present.ts'
import type { KnownContact, Sender } from '#features/ledger/server/ports/index.ts'
import { capabilitiesOf, channelTypeIds } from '#providers/channels/configs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { personOf } from '#server/db/person.ts'

/** Returns the contacts of identities (of merged ones the person), keyed `channel|identity`. */
export async function findContacts(db: Queryable, senders: readonly Sender[]): Promise<Map<string, KnownContact>> {
  // For merged contacts users have chosen the name.
  const { rows } = await sql<KnownContact & { key: string }>`
    select i.channel || '|' || i.identity as key, p.id, p.name, p.number, p.blocked,
      case when p.merge_state is null then p.pushname end as pushname
    from jsonb_to_recordset(${JSON.stringify(senders)}::jsonb) as s (channel text, identity text)
    cross join lateral (select * from contact_identities i
      where i.tenant_id = app.tenant() and i.channel = s.channel and i.identity = s.identity offset 0) i
    cross join lateral (select coalesce(c.merged_into, c.id) as id from contacts c
      where c.tenant_id = app.tenant() and c.id = i.contact_id offset 0) person
    cross join lateral (select * from contacts c where c.tenant_id = app.tenant() and c.id = person.id offset 0) p`.execute(
    db,
  )
  return new Map(rows.map(({ key, ...contact }) => [key, contact]))
}

/**
 * Finds or creates the contacts of unknown identities: by number (with or without the ninth digit) or by other addresses
 * that the channel reports, the oldest of several; stores the identities. Keyed `channel|identity`; `several` collects
 * identities that lead to several persons.
 */
export async function meetContacts(
  db: Tx,
  senders: readonly Sender[],
  several: Sender[],
): Promise<Map<string, KnownContact>> {
  const found = new Map<string, KnownContact>()
  for (const sender of senders) {
    const spellings = sender.number === null ? [] : spellingsOf(sender.number)
    // Normalised, so that the unique constraint rejects a concurrent second insert.
    const number = sender.number && withNinthDigit(`+${sender.number}`).slice(1)
    const { rows } = await sql<KnownContact & { persons: number }>`
      with found as materialized (
        select c.id as record, p.id, p.name, p.number, p.blocked from contacts c
        cross join lateral (select * from contacts p where p.tenant_id = c.tenant_id and p.id = ${personOf('c')} offset 0) p
        where c.number = any(${spellings}::text[])
        union all
        select c.id, p.id, p.name, p.number, p.blocked from contact_identities i
        join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
        cross join lateral (select * from contacts p where p.tenant_id = c.tenant_id and p.id = ${personOf('c')} offset 0) p
        where i.channel = ${sender.channel} and i.identity = ${sender.alias ?? null}),
      existing as (select *, (select count(distinct id) from found)::int as persons from found order by id limit 1),
      made as (
        insert into contacts (tenant_id, name, number, email, is_group, pushname, is_named_by_channel)
        select app.tenant(), ${sender.name}, ${number}, ${sender.email}, ${sender.isGroup ?? false}, ${sender.name}, true where not exists (select from existing)
        on conflict on constraint contacts_number do update set number = excluded.number
        returning id as record, id, name, number, blocked, 1),
      met as (select * from existing union all select * from made),
      named as (
        insert into contact_identities (tenant_id, channel, identity, contact_id, picture_due_at)
        select app.tenant(), ${sender.channel}, ${sender.identity}, record, ${capabilitiesOf(sender.channel).picture ? sql`app.now()` : null}::timestamptz
        from met on conflict do nothing)
      select id, name, number, blocked, persons from met`.execute(db)
    const { persons, ...contact } = firstOf(rows)
    if (persons > 1) several.push(sender)
    found.set(`${sender.channel}|${sender.identity}`, contact)
  }
  return found
}

// The address from which the person wrote last, else the newest.
const addressOn = (channel: string) => sql<string | null>`(select i.identity from contact_identities i
  join contacts r on r.tenant_id = i.tenant_id and r.id = i.contact_id
  where i.tenant_id = c.tenant_id and i.channel = ${channel} and (r.id = c.id or r.merged_into = c.id)
  order by (select max(t.last_message_received_at) from tickets t where t.tenant_id = i.tenant_id and t.contact_id = c.id
    and t.channel = i.channel and t.conversation_key = i.identity) desc nulls last, i.created_at desc limit 1)`

/** Returns a contact's address on a channel; of several the one from which they wrote last. */
export async function findIdentity(db: Queryable, contactId: number, channel: string): Promise<string | undefined> {
  const { rows } = await sql<{ identity: string | null }>`
    select ${addressOn(channel)} as identity from contacts c where c.id = ${contactId}`.execute(db)
  return rows[0]?.identity ?? undefined
}

/**
 * Returns contacts' addresses on a channel, else (`mayBegin`) their numbers if no other contact has them there; others are
 * missing.
 */
export async function findAddresses(
  db: Queryable,
  contactIds: readonly number[],
  { channel, mayBegin }: { readonly channel: string; readonly mayBegin: boolean },
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; address: string }>`
    select id, address from (
      select c.id, coalesce(${addressOn(channel)},
        case when ${mayBegin} and not exists (select from contact_identities o
          where o.tenant_id = c.tenant_id and o.channel = ${channel} and o.identity = c.number) then c.number end) as address
      from contacts c where c.id = any(${[...contactIds]}::bigint[])) known
    where address is not null`.execute(db)
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** Stores addresses of contacts on channels; returns false if one belongs to another contact. */
export async function claimIdentities(
  db: Tx,
  identities: readonly { contactId: number; channel: string; identity: string }[],
): Promise<boolean> {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(identities)}::jsonb) as l ("contactId" bigint, channel text, identity text)`
  await sql`insert into contact_identities (tenant_id, channel, identity, contact_id, proof, picture_due_at)
    select app.tenant(), l.channel, l.identity, l."contactId", 'none',
      case when l.channel = any(${channelTypeIds().filter((type) => capabilitiesOf(type).picture)}::text[]) then app.now() end from ${wanted} order by 2, 3 on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${wanted} join contact_identities i
      on i.tenant_id = app.tenant() and i.channel = l.channel and i.identity = l.identity
    join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
      and (c.id = l."contactId" or c.merged_into = l."contactId")`.execute(db)
  return firstOf(rows).n === identities.length
}

/** Stores an address of a contact on a channel; returns false if it belongs to another contact. */
export const claimIdentity = (db: Tx, contactId: number, channel: string, identity: string): Promise<boolean> =>
  claimIdentities(db, [{ contactId, channel, identity }])

/** Stores since when an address blocks us, or that it no longer does; returns the contact if this changed. */
export async function setBlocking(
  db: Tx,
  { channel, identity, blocksUs, at }: { channel: string; identity: string; blocksUs: boolean; at: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{ contact_id: number }>`
    update contact_identities set blocks_us_since = ${blocksUs ? at : null}
    where channel = ${channel} and identity = ${identity} and (blocks_us_since is null) = ${blocksUs}
    returning contact_id`.execute(db)
  return rows[0]?.contact_id
}

/** Renames an address of a channel, unless the new one exists already. */
export async function moveIdentity(
  db: Tx,
  { channel, identity, to }: { channel: string; identity: string; to: string },
): Promise<void> {
  await sql`update contact_identities i set identity = ${to}
    where i.channel = ${channel} and i.identity = ${identity} and not exists (
      select from contact_identities o where o.channel = ${channel} and o.identity = ${to})`.execute(db)
}

// A site may report any number of fields; a contact keeps the first hundred.
const MOST_EXTRA = 100

/**
 * Adds what a site reports about its visitor to the contact: fills empty fields and missing `details`, or overwrites them if
 * proven; the site's own attributes are always replaced.
 */
export async function describeContact(
  db: Tx,
  id: number,
  given: {
    name: string
    email: string
    details: Record<string, string>
    attributes: Record<string, string>
    isProven: boolean
  },
): Promise<void> {
  const entriesOf = (of: Record<string, string>) =>
    Object.entries(of).map(([name, value]) => ({ id: `webchat:${name}`, name, value }))
  const extra = entriesOf({ ...(given.isProven ? given.details : {}), ...given.attributes })
  const filled = given.isProven ? [] : entriesOf(given.details)
  await sql`
    update contacts set
      name = case when ${given.name} <> '' and (${given.isProven} or name like 'Visitante %') then ${given.name} else name end,
      email = case when ${given.email} <> '' and (${given.isProven} or email = '') then ${given.email} else email end,
      extra_info = (
        select coalesce(jsonb_agg(entry), '[]') from (
          select entry from jsonb_array_elements(extra_info) entry
            where entry ->> 'id' not in (select e ->> 'id' from jsonb_array_elements(${JSON.stringify(extra)}::jsonb) e)
          union all select entry from jsonb_array_elements(${JSON.stringify(filled)}::jsonb) entry
            where entry ->> 'id' not in (select e ->> 'id' from jsonb_array_elements(extra_info) e)
          union all select entry from jsonb_array_elements(${JSON.stringify(extra)}::jsonb) entry
          limit ${MOST_EXTRA}) merged),
      updated_at = app.now()
    where id = ${id}`.execute(db)
}

/** Deletes user-entered addresses of a contact on a channel, except one; returns those that the channel reported. */
export async function removeAddresses(
  db: Tx,
  contactId: number,
  { channel, isLid, except }: { channel: string; isLid: string | null; except: string },
): Promise<string[]> {
  const own = sql`contact_id in (select id from contacts where id = ${contactId} or merged_into = ${contactId})
    and ${isLid === null ? sql`channel = ${channel}` : sql`right(identity, ${isLid.length}) = ${isLid}`}`
  await sql`delete from contact_identities where ${own} and proof <> 'provider' and identity <> ${except}`.execute(db)
  const { rows } = await sql<{ identity: string }>`select identity from contact_identities where ${own}`.execute(db)
  return rows.map(({ identity }) => identity)
}

/** Stores an address of a contact, from a user or the channel; returns false if the address exists already. */
export async function putAddress(
  db: Tx,
  {
    contactId,
    channel,
    address,
    proof = 'person',
    now,
  }: { contactId: number; channel: string; address: string; proof?: 'person' | 'provider'; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into contact_identities (tenant_id, channel, identity, contact_id, proof, created_at)
    values (app.tenant(), ${channel}, ${address}, ${contactId}, ${proof}, ${now}) on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Returns the person behind an address of a channel. */
export async function ownerOfAddress(db: Queryable, channel: string, address: string) {
  const { rows } = await sql<{ id: number; name: string; number: string | null }>`
    select id, name, number from contacts where id = app.person_at(${channel}, ${address})`.execute(db)
  return rows[0]
}

/** Returns a contact's name here and on its channel, and whether it came from the channel; undefined for merged contacts. */
export async function findNames(
  db: Queryable,
  id: number,
): Promise<{ name: string; pushname: string; isNamedByChannel: boolean } | undefined> {
  const { rows } = await sql<{ name: string; pushname: string; isNamedByChannel: boolean }>`
    select name, pushname, is_named_by_channel as "isNamedByChannel" from contacts where id = ${id} and merge_state is null`.execute(
    db,
  )
  return rows[0]
}
