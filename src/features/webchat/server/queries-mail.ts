import { sql } from 'kysely'
import type { Language } from '#domain/webchat/languages.ts'
import { continuingTypes } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import { asUuid, type Conversation, type StoredChannel } from './queries.ts'

/** Finds the company's connected mailbox, of several the oldest. */
export async function findMailbox(db: Queryable): Promise<{ id: number; address: string } | undefined> {
  const { rows } = await sql<{ id: number; address: string }>`
    select id, coalesce(number, name) as address from connections
    where tenant_id = app.tenant() and type = any(${continuingTypes()}::text[]) and status = 'CONNECTED' and not is_deleted
    order by id limit 1`.execute(db)
  return rows[0]
}

/** Conversation of a ticket, appearance of its channel, and the visitor's e-mail address; '' if none. */
export type Mailed = Conversation & {
  readonly name: string
  readonly config: Pick<StoredChannel, 'look' | 'mails'>
  readonly language: Language
  readonly email: string
}

/** Finds the visitor of a ticket who can be mailed; undefined if the contact is blocked or the channel deleted. */
export async function findMailed(db: Queryable, ticketId: number): Promise<Mailed | undefined> {
  const { rows } = await sql<Mailed>`
    select t.connection_id as "connectionId", t.conversation_key as "visitorId", n.name, n.config, v.language,
      coalesce(nullif(c.email, ''), v.form ->> 'email', '') as email
    from tickets t
    join connections n on n.tenant_id = t.tenant_id and n.id = t.connection_id and not n.is_deleted
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id and not c.blocked
    join webchat_visitors v on v.tenant_id = t.tenant_id and v.id = ${asUuid(sql`t.conversation_key`)}
    where t.id = ${ticketId} and t.channel = 'webchat'`.execute(db)
  return rows[0]
}
