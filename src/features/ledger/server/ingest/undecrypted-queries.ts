import { sql } from 'kysely'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { MessageSender } from '#domain/messages/sender.ts'
import type { MessageType } from '#domain/messages/types.ts'
import type { Tx } from '#server/db/db.ts'
import { isOfConversation } from '../ticket/queries-conversation.ts'

/** Content of a message that could not be decrypted on arrival; `sendType` is null where it does not change. */
export type ReadMessage = {
  connectionId: number
  conversationKey: string
  /** Another address of its author. */
  alias: string | null
  providerId: string
  mediaType: string
  body: string
  fileId: string | null
  data: unknown
  sender: MessageSender | null
  mentions: MessageMentions | null
  quotedProviderId: string | null
  sendType: string | null
}

type Row = {
  id: string
  providerId: string
  data: unknown
  ticketId: number
  fromMe: boolean
  isLate: boolean
  body: string
  mediaType: MessageType
}

/**
 * Writes the content of formerly undecrypted messages, matched by conversation and author; later edits are kept. Returns the
 * messages, in order.
 */
export async function readUndecrypted(db: Tx, messages: readonly ReadMessage[], now: Date): Promise<Row[]> {
  const { rows } = await sql<Row & { seq: number }>`
    update messages m set media_type = r."mediaType", file_id = r."fileId", data = r.data, updated_at = ${now},
      body = case when m.edition is null then r.body else m.body end, edition = case when m.edition is null then null else r.body end,
      sender = coalesce(r.sender, m.sender), mentions = r.mentions, send_type = coalesce(r."sendType", m.send_type),
      quoted_id = (select q.id from messages q
        where q.tenant_id = m.tenant_id and q.connection_id = m.connection_id and q.provider_id = r."quotedProviderId")
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as r ("connectionId" bigint, "conversationKey" text, alias text, "providerId" text, "mediaType" text, body text,
      "fileId" uuid, data jsonb, sender jsonb, mentions jsonb, "quotedProviderId" text, "sendType" text), tickets t
    where m.tenant_id = app.tenant() and t.tenant_id = m.tenant_id and t.id = m.ticket_id and m.connection_id = r."connectionId" and m.provider_id = r."providerId" and m.media_type = 'undecrypted'
      and m.connection_id = any(${messages.map((one) => one.connectionId)}::bigint[]) and m.provider_id = any(${messages.map((one) => one.providerId)}::text[])
      and ${isOfConversation({ message: 'm', ticket: 't', key: 'r."conversationKey"', alias: 'r.alias' })}
      and (not t.is_group or m.sender is null or m.sender ->> 'identity' = r.sender ->> 'identity' or m.sender ->> 'number' = r.sender ->> 'number')
    returning m.id, m.provider_id as "providerId", m.data, m.seq, m.ticket_id as "ticketId", m.from_me as "fromMe", m.is_late as "isLate", m.body, m.media_type as "mediaType"`.execute(
    db,
  )
  return rows.sort((a, b) => a.seq - b.seq)
}
