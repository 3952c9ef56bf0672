import { sql } from 'kysely'
import { channelConfigs } from '#providers/channels/configs.ts'

// Of other channels nothing is looked up.
const withWindow = (): string[] =>
  channelConfigs.flatMap(({ capabilities, types }) =>
    capabilities.windowHours === null ? [] : types.map(({ type }) => type),
  )

/** When the contact wrote last in the conversation of a ticket, in any of its tickets; null for channels without a window. */
export const conversationReceivedAt = (ticket: 't' | 'tickets') => sql<Date | null>`
  case when ${sql.ref(`${ticket}.channel`)} = any(${withWindow()}::text[]) then (
    select max(o.last_message_received_at) from tickets o where o.tenant_id = ${sql.ref(`${ticket}.tenant_id`)}
      and o.connection_id = ${sql.ref(`${ticket}.connection_id`)} and o.conversation_key = ${sql.ref(`${ticket}.conversation_key`)}) end`
