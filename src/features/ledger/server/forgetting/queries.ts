import { type RawBuilder, sql } from 'kysely'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type Forgetting, type Forgotten, forgottenKey } from '#server/forgetting.ts'
import type { Platform } from '#server/platform.ts'
import { removeUnshown } from '../links/queries.ts'

const bigints = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`
const KEY = forgottenKey(0).slice(0, -1)

// Messages of a person in groups belong to the group's contact.
const ofPerson = (contactIds: readonly number[], identifiers: readonly string[]) => sql`(
  m.contact_id = any(${bigints(contactIds)}) and left(m.conversation_key, ${KEY.length}) <> ${KEY}
  or m.ticket_id in (select t.id from group_members g join tickets t on t.tenant_id = g.tenant_id and t.contact_id = g.contact_id
    where g.number = any(${[...identifiers]}::text[]) or g.identity = any(${[...identifiers]}::text[]))
    and (m.body <> '' or m.file_id is not null)
    and (m.sender ->> 'id')::bigint in (select id from group_members
      where number = any(${[...identifiers]}::text[]) or identity = any(${[...identifiers]}::text[])))`

/** Returns the next messages of a person that still have content, at most `most`. */
export async function messagesToForget(
  db: Queryable,
  { contactIds, identifiers }: Pick<Forgotten, 'contactIds' | 'identifiers'>,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m where ${ofPerson(contactIds, identifiers)} order by m.id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes the trail of messages, which the application's role can only append to. */
export async function forgetTrail(
  platform: Pick<Platform, 'db'>,
  tenantId: number,
  ids: readonly string[],
): Promise<void> {
  await platform.db.asPlatform((db) =>
    sql`delete from message_trail where tenant_id = ${tenantId} and message_id = any(${[...ids]}::uuid[])`.execute(db),
  )
}

/** Erases texts, files and data of messages, and cancels waiting ones; returns the files. */
export async function forgetMessages(db: Tx, contactIds: readonly number[], of: readonly string[]): Promise<string[]> {
  const ids = sql`${[...of]}::uuid[]`
  const { rows } = await sql<{ fileId: string | null; cardId: number | null }>`
    select file_id as "fileId", link_card_id as "cardId" from messages where id = any(${ids}) order by id for update`.execute(
    db,
  )
  await sql`delete from message_acts where message_id = any(${ids})`.execute(db)
  await sql`delete from message_html where message_id = any(${ids})`.execute(db)
  await sql`delete from media_downloads where message_id = any(${ids})`.execute(db)
  await sql`delete from pinned_messages where message_id = any(${ids})`.execute(db)
  await sql`
    update messages m set body = '', edition = null, data = null, file_id = null, sender = null, mentions = null,
      reaction = null, reaction_from_me = null, provider_id = null, id_front = null, link_card_id = null,
      status = case when m.from_me and m.status in ('pending', 'queued') then 'canceled' else m.status end,
      send_at = null, repeat = null, repeat_from = null,
      conversation_key = case when m.contact_id = any(${bigints(contactIds)}) then ${KEY} || m.contact_id else m.conversation_key end
    where m.tenant_id = app.tenant() and m.id = any(${ids})`.execute(db)
  const cards = await removeUnshown(
    db,
    rows.flatMap(({ cardId }) => cardId ?? []),
  )
  return [...rows.flatMap(({ fileId }) => fileId ?? []), ...cards]
}

/** Erases a person from conversations, except messages: tickets, drafts, journal events, acts, and names in groups. */
export const forgetConversations: Forgetting = async ({ db }, { ticketIds, identifiers }) => {
  const tickets = bigints(ticketIds)
  const named = sql`${[...identifiers]}::text[]`
  await sql`delete from drafts where ticket_id = any(${tickets})`.execute(db)
  await sql`delete from assistant_sessions where ticket_id = any(${tickets})`.execute(db)
  await sql`delete from ticket_merges where ticket_id = any(${tickets}) or into_id = any(${tickets})`.execute(db)
  await sql`update ticket_logs set data = '{}' where ticket_id = any(${tickets}) and data <> '{}'`.execute(db)
  await sql`update tickets set last_message = '', last_message_sender = null, conversation_key = ${KEY} || contact_id
    where id = any(${tickets})`.execute(db)
  await sql`update group_members set name = 'Pessoa esquecida', number = null, identity = ${KEY} || id
    where number = any(${named}) or identity = any(${named})`.execute(db)
  const names = (who: RawBuilder<unknown>) =>
    sql`(${who} ->> 'identity' = any(${named}) or ${who} ->> 'number' = any(${named}) or ${who} ->> 'alias' = any(${named}))`
  const isTheirs = sql`(payload ->> 'conversationKey' = any(${named}) or ${names(sql`(payload -> 'sender')`)}
    or ${names(sql`(payload -> 'author')`)})`
  await sql`delete from journal where ${isTheirs}`.execute(db)
  // An edit without a conversation is found by its message, whose id is erased with it.
  await sql`
    delete from journal_processed j where ${isTheirs} or payload ->> 'type' = 'edit' and payload ->> 'conversationKey' = ''
      and not exists (select from messages m where m.connection_id = j.connection_id and m.provider_id = j.payload ->> 'providerId')`.execute(
    db,
  )
  await sql`delete from message_acts where conversation_key = any(${named}) or ${names(sql`author`)}`.execute(db)
  await sql`update history_imports set chats = '[]', conversation_key = null
    where status <> 'running' and (conversation_key = any(${named}) or chats ?| ${named})`.execute(db)
}
