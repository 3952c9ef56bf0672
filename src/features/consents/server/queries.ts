import { sql } from 'kysely'
import {
  addressOf,
  type ConsentSource,
  type ConsentState,
  mailAddress,
  type Purpose,
  phoneAddress,
} from '#domain/consents/consents.ts'
import { firstOf } from '#domain/present.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'

/** Returns the consent address of a channel identity. */
export const channelAddress = (channel: string, identity: string): string =>
  addressOf(channel, identity, capabilitiesOf(channel).begins === 'anyone')

const addressOfField: Readonly<Record<string, (value: string) => string>> = { number: phoneAddress, email: mailAddress }

/** Returns the consent addresses of contacts, those of merged contacts included; contacts without any are missing. */
export async function addressesOf(db: Queryable, contactIds: readonly number[]): Promise<Map<number, string[]>> {
  if (contactIds.length === 0) return new Map()
  // `offset 0` forces a look-up per row by its key, since statistics are outdated after an import.
  const { rows } = await sql<{ id: number; channel: string; identity: string }>`
    with asked as (select c.id, coalesce(c.merged_into, c.id) as person
      from unnest(${contactIds}::bigint[]) as a (id) cross join lateral (
        select id, merged_into from contacts o where o.tenant_id = app.tenant() and o.id = a.id offset 0) c),
    parts as (select id, person as contact_id from asked
      union all select a.id, c.id from asked a cross join lateral (
        select id from contacts o where o.tenant_id = app.tenant() and o.merged_into = a.person offset 0) c),
    part as (select p.id, p.contact_id, c.number, c.email from parts p cross join lateral (
      select number, email from contacts o where o.tenant_id = app.tenant() and o.id = p.contact_id and not o.is_group offset 0) c)
    select id, 'number' as channel, number as identity from part where number is not null
    union all select id, 'email', email from part where email <> ''
    union all select p.id, i.channel, i.identity from part p cross join lateral (
      select channel, identity from contact_identities o where o.tenant_id = app.tenant() and o.contact_id = p.contact_id offset 0) i`.execute(
    db,
  )
  const found = new Map<number, Set<string>>()
  for (const { id, channel, identity } of rows)
    found.set(
      id,
      (found.get(id) ?? new Set()).add(addressOfField[channel]?.(identity) ?? channelAddress(channel, identity)),
    )
  return new Map([...found].map(([id, addresses]) => [id, [...addresses]]))
}

/** Returns the present consents of addresses for a purpose; addresses without record are missing. */
export async function statesOf(
  db: Queryable,
  addresses: readonly string[],
  purpose: Purpose,
): Promise<Map<string, ConsentState>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<{ address: string; state: ConsentState }>`
    select a.address, c.state from unnest(${[...new Set(addresses)]}::text[]) as a (address)
    cross join lateral (select state from consents c where c.tenant_id = app.tenant() and c.address = a.address
      and c.purpose = ${purpose} order by c.id desc limit 1) c`.execute(db)
  return new Map(rows.map(({ address, state }) => [address, state]))
}

/** Consent record to add. */
export type NewConsent = {
  readonly address: string
  readonly purpose: Purpose
  readonly state: ConsentState
  readonly source: ConsentSource
  readonly note: string
  readonly connectionId: number | null
  readonly userId: number | null
}

export async function insertConsents(db: Tx, rows: readonly NewConsent[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('consents')
    .values(
      rows.map(({ connectionId, userId, ...row }) => ({
        ...row,
        tenant_id: sql<number>`app.tenant()`,
        connection_id: connectionId,
        user_id: userId,
        created_at: now,
      })),
    )
    .execute()
}

const records = (db: Queryable) =>
  db
    .selectFrom('consents as c')
    .leftJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'c.tenant_id').onRef('u.id', '=', 'c.user_id'))
    .select(['c.id', 'c.address', 'c.purpose', 'c.state', 'c.source', 'c.note', 'c.connection_id', 'c.created_at'])
    .select(['c.user_id', 'u.name as user_name'])

/** Row of a consent record, with its author's name. */
export type ConsentRecord = Awaited<ReturnType<typeof pageOfConsents>>[number]

/** Returns a page of the records of addresses, newest first. */
export const pageOfConsents = (
  db: Queryable,
  addresses: readonly string[],
  { after, offset, limit }: PageStart<[number]>,
) =>
  records(db)
    .where('c.address', '=', sql<string>`any(${addresses}::text[])`)
    .$if(after !== null, (query) => query.where('c.id', '<', after![0]))
    .orderBy('c.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

/** Returns the next records of the company after an id, oldest first. */
export const consentsAfter = (db: Queryable, id: number, limit: number) =>
  records(db).where('c.id', '>', id).orderBy('c.id').limit(limit).execute()

/** Returns the contact of a conversation: of its newest ticket. */
export const contactOf = async (db: Queryable, connectionId: number, conversationKey: string) =>
  (
    await db
      .selectFrom('tickets')
      .select('contact_id')
      .where('connection_id', '=', connectionId)
      .where('conversation_key', '=', conversationKey)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.contact_id

/** Returns the conversations of tickets, with their agent and the connection's default queue and agent. */
export const conversationsOfTickets = (db: Queryable, ticketIds: readonly number[]) =>
  db
    .selectFrom('tickets as t')
    .innerJoin('connections as c', (join) =>
      join.onRef('c.tenant_id', '=', 't.tenant_id').onRef('c.id', '=', 't.connection_id'),
    )
    .select(['t.id as ticketId', 't.channel', 't.conversation_key as conversationKey', 't.contact_id as contactId'])
    .select(['t.connection_id as connectionId', 'c.queue_id as queueId', 'c.user_id as userId'])
    .where('t.id', 'in', ticketIds)
    .execute()

/** Returns those of the contacts who wrote to the company since a moment. */
export async function wroteSince(db: Queryable, contactIds: readonly number[], since: Date): Promise<Set<number>> {
  if (contactIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('tickets')
    .select('contact_id')
    .distinct()
    .where('contact_id', '=', sql<number>`any(${contactIds}::bigint[])`)
    .where('last_message_received_at', '>=', since)
    .execute()
  return new Set(rows.map(({ contact_id }) => contact_id))
}

/** Clears the notes of addresses; withdrawals remain. */
export async function clearNotes(db: Tx, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  await db.updateTable('consents').set({ note: '' }).where('address', 'in', addresses).where('note', '<>', '').execute()
}

/** Returns whether a message is a template that its provider counts as marketing. */
export async function isMarketingTemplate(db: Queryable, messageId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from messages m join message_templates t on t.tenant_id = m.tenant_id and t.connection_id = m.connection_id
        and t.name = m.data #>> '{template,name}' and t.language = m.data #>> '{template,language}'
      where m.tenant_id = app.tenant() and m.id = ${messageId} and t.category = 'MARKETING') as is`.execute(db)
  return firstOf(rows).is
}
