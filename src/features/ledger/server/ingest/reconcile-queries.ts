import { sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { lockMessages } from '../messages/queries.ts'
import type { Locked } from '../outbox/outbox-queries.ts'
import { lockLedgerTickets } from '../ticket/queries.ts'

/** Message that the provider reports as sent by us; `keys`: spellings of the recipient; `messageId`: our id, if known. */
export type EchoedMessage = {
  readonly connectionId: number
  readonly keys: readonly string[]
  readonly providerId: string
  readonly messageId: string | null
  readonly type: string
  readonly body: string
  /** Name of the message's template; null for other messages. */
  readonly template: string | null
  readonly at: Date
}

/** Locked message without a response, and whether the echo names it (`isNamed`) or has the same content (`isAlike`). */
export type Unanswered = Locked & {
  readonly isNamed: boolean
  readonly isAlike: boolean
}

/**
 * Locks, per echo and in order, the messages it may confirm: tried within two minutes of it, or named by our id; none
 * if its id is already known, also from a later echo (`ours`). Texts with mentions are not compared, because names
 * differ; buttons are compared by their words, templates by name.
 */
export async function lockUnanswered(
  db: Tx,
  echoes: readonly EchoedMessage[],
): Promise<{ readonly isOurs: boolean; readonly found: readonly Unanswered[] }[]> {
  const asked = echoes.map((echo, n) => ({ n, ...echo }))
  const all = [...new Set(echoes.flatMap(({ keys }) => keys))]
  const inConversations = sql`m.tenant_id = app.tenant() and m.from_me and m.provider_id is null
    and m.connection_id = any(${echoes.map(({ connectionId }) => connectionId)}::bigint[]) and m.conversation_key = any(${all}::text[])`
  // Each by the index of its status.
  const { rows } = await sql<{ n: number; id: string | null; ticketId: number; isNamed: boolean; isAlike: boolean }>`
    with echo as (select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as e (n int, "connectionId" bigint, keys text[], "providerId" text, "messageId" text, type text, body text, template text, at timestamptz))
    select e.n, m.id, m.ticket_id as "ticketId", m.id::text is not distinct from e."messageId" as "isNamed",
      case m.media_type when 'buttons' then 'text' else m.media_type end = e.type
        and (m.mentions is not null or coalesce(m.data -> 'template' ->> 'name' = e.template, false) or btrim(concat_ws(E'\\n\\n', m.body, nullif(m.data ->> 'footer', ''))) = btrim(e.body)) as "isAlike"
    from (select m.* from messages m where ${inConversations} and m.status = 'queued'
      union all select m.* from messages m where ${inConversations} and m.status = 'uncertain') m
    join echo e on e."connectionId" = m.connection_id and m.conversation_key = any(e.keys)
    where (m.id::text = e."messageId" or m.updated_at between e.at - interval '2 minutes' and e.at + interval '2 minutes')
      and not exists (select from messages k
        where k.tenant_id = app.tenant() and k.connection_id = e."connectionId" and k.provider_id = e."providerId")
    union all
    select e.n, null, null, false, false from echo e where exists (select from messages k
      where k.tenant_id = app.tenant() and k.connection_id = e."connectionId" and k.provider_alias = e."providerId")`.execute(
    db,
  )
  const isOurs = new Set(rows.flatMap(({ n, id }) => (id === null ? [n] : [])))
  const named = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }]))
  const tickets =
    named.length === 0 ? [] : await lockLedgerTickets(db, [...new Set(named.map(({ ticketId }) => ticketId))])
  const locked = named.length === 0 ? [] : await lockMessages(db, [...new Set(named.map(({ id }) => id))])
  const byId = new Map(locked.map((message) => [message.id, message]))
  const byEcho = Map.groupBy(named, ({ n }) => n)
  return echoes.map((_, n) => ({
    isOurs: isOurs.has(n),
    found: (byEcho.get(n) ?? []).flatMap(({ id, ticketId, isNamed, isAlike }) => {
      const message = byId.get(id)
      const isOpen = message?.provider_id === null && (message.status === 'queued' || message.status === 'uncertain')
      const ticket = tickets.find((one) => one.id === ticketId)
      return message && isOpen ? [{ message, ticket, isNamed, isAlike }] : []
    }),
  }))
}
