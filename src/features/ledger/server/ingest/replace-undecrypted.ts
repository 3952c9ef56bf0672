import { FORWARDED } from '#domain/messages/types.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { publishActed } from '../acts/publish.ts'
import { afterMessages } from '../hooks/hooks.ts'
import { recordDownloads } from '../media/download.ts'
import { remoteContent } from '../media/remote.ts'
import { lockLedgerTickets } from '../ticket/queries.ts'
import type { groupContent } from './apply-groups.ts'
import { beginningLate } from './beginnings.ts'
import { type ReadMessage, readUndecrypted } from './undecrypted-queries.ts'

type Read = ReturnType<typeof groupContent> & {
  readonly connectionId: number
  readonly event: Extract<ProviderEvent, { type: 'message' | 'echo' }>
}

/**
 * Replaces undecrypted messages with their content in place: tickets, counts and order are unchanged, and hooks on customer
 * messages run now, as for a beginning if nothing came before.
 */
export async function replaceUndecrypted(ctx: Ctx, messages: readonly Read[]): Promise<void> {
  const rows = await readUndecrypted(ctx.db, messages.map(toRow), ctx.now)
  const pointers = new Map(
    messages.map(({ event: { message } }) => [message.providerId, remoteContent(message, 'coming').pointer]),
  )
  await recordDownloads(
    ctx,
    rows.map(({ id, data, providerId }) => ({ id, data, pointer: pointers.get(providerId) ?? null })),
  )
  const ids = rows.map(({ id }) => id)
  await publishActed(ctx, ids)
  const tickets = await lockLedgerTickets(ctx.db, [...new Set(rows.map(({ ticketId }) => ticketId))])
  const opened = await beginningLate(ctx, tickets, rows)
  await afterMessages(ctx, { messages: rows.map((row) => ({ ...row, isNote: false })), tickets }, opened)
}

const toRow = ({ connectionId, event: { message, ...event }, body, sender, mentions }: Read): ReadMessage => ({
  ...{ conversationKey: event.conversationKey, alias: event.sender.alias ?? null },
  ...{ connectionId, providerId: message.providerId, mediaType: message.type, body, sender, mentions },
  fileId: message.fileId ?? null,
  data: remoteContent(message, 'coming').data,
  quotedProviderId: message.quotedProviderId ?? null,
  sendType: message.isForwarded ? FORWARDED : null,
})
