import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { lockMessages } from '../messages/queries.ts'
import type { Locked } from '../outbox/outbox-queries.ts'
import { lockLedgerTickets } from './ingest-queries.ts'

/** What a provider says left by our number; `keys` are the spellings of whom it is for, `messageId` is our id where it says one. */
export type EchoedMessage = {
  readonly connectionId: number
  readonly keys: readonly string[]
  readonly providerId: string
  readonly messageId: string | null
  readonly type: string
  readonly body: string
  readonly at: Date
}

/** A message whose answer has not come, locked: whether the provider's word names it, or says the same as it does. */
export type Unanswered = Locked & {
  readonly isNamed: boolean
  readonly isAlike: boolean
}

/**
 * The messages of a conversation that may be what the provider says it sent: tried within two minutes of it, or named by our id;
 * none where it is known already whose it is. Names that a text mentions stand otherwise there, so it is not compared; of what
 * had buttons the words come back, with those below them.
 */
export async function lockUnanswered(
  db: Tx,
  { connectionId, keys, providerId, messageId, type, body, at }: EchoedMessage,
): Promise<Unanswered[]> {
  const inConversation = sql`m.tenant_id = app.tenant() and m.connection_id = ${connectionId}
    and m.conversation_key = any(${keys}::text[]) and m.from_me and m.provider_id is null`
  // Each by the index that its status has.
  const { rows } = await sql<{ id: string; ticketId: number; isNamed: boolean; isAlike: boolean }>`
    select m.id, m.ticket_id as "ticketId", m.id::text is not distinct from ${messageId} as "isNamed",
      case m.media_type when 'buttons' then 'text' else m.media_type end = ${type}
        and (m.mentions is not null or btrim(concat_ws(E'\\n\\n', m.body, nullif(m.data ->> 'footer', ''))) = btrim(${body})) as "isAlike"
    from (select m.* from messages m where ${inConversation} and m.status = 'queued'
      union all select m.* from messages m where ${inConversation} and m.status = 'uncertain') m
    where (m.id::text = ${messageId} or m.updated_at between ${at}::timestamptz - interval '2 minutes' and ${at}::timestamptz + interval '2 minutes')
      and not exists (select from messages k
        where k.tenant_id = app.tenant() and k.connection_id = ${connectionId} and k.provider_id = ${providerId})`.execute(
    db,
  )
  if (rows.length === 0) return []
  const tickets = await lockLedgerTickets(db, [...new Set(rows.map(({ ticketId }) => ticketId))])
  const locked = await lockMessages(
    db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id, ticketId, ...about }) => {
    const message = locked.find((one) => one.id === id)
    const isOpen = message?.provider_id === null && (message.status === 'queued' || message.status === 'uncertain')
    const ticket = tickets.find((one) => one.id === ticketId)
    return message && isOpen ? [{ ...about, message, ticket }] : []
  })
}
