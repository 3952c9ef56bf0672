import type { z } from 'zod'
import { isOneEmoji } from '#domain/messages/acts.ts'
import { buttonsOf } from '#domain/messages/data.ts'
import { present } from '#domain/present.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { MessageAct } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import type { webchat } from '../contract.ts'
import { take } from './conversation.ts'
import { type ConversationRow, findShown } from './queries.ts'
import type { Visitor } from './visitors.ts'

type Asked = z.output<typeof webchat.act.body>

/** Writes a visitor's act on a message to the journal before answering; repeating the same id has no effect. */
export async function takeAct(platform: Platform, visitor: Visitor, messageId: string, asked: Asked): Promise<void> {
  await platform.limits.use('widget', visitor.visitorId)
  const row = await platform.db.read(visitor.tenantId, (db) => findShown(db, visitor, messageId))
  const providerId = required(row?.providerId, 'ERR_FETCH_WAPP_MSG')
  if (present(row).isDeleted) fail('ERR_FETCH_WAPP_MSG')
  if (asked.act === 'press') return press(platform, visitor, row!, asked.buttonId)
  const timestamp = platform.now().getTime()
  const base = { dedupeKey: `act:${visitor.visitorId}:${asked.id}`, conversationKey: visitor.visitorId }
  await receive(platform, visitor, [{ ...base, providerId, timestamp, ...contentOf(asked, row!, timestamp) }])
}

type ActContent<A = MessageAct> = A extends MessageAct
  ? Pick<A, Exclude<keyof A, 'dedupeKey' | 'conversationKey' | 'providerId' | 'timestamp'>>
  : never

function contentOf({ act, body, reaction = '' }: Asked, row: ConversationRow, now: number): ActContent {
  const { editMinutes, revokeHours } = capabilitiesOf('webchat')
  const isWithin = (minutes: number | null) => minutes !== null && now - row.timestamp.getTime() <= minutes * 60_000
  if (act === 'react') {
    if (reaction !== '' && !isOneEmoji(reaction)) fail('ERR_VALIDATION', { reaction: 'Escolha um emoji.' })
    return { type: 'reaction', emoji: reaction || null }
  }
  if (row.fromMe) fail('ERR_FETCH_WAPP_MSG')
  if (act === 'revoke')
    return isWithin(revokeHours && revokeHours * 60) ? { type: 'revoke' } : fail('ERR_DELETE_WAPP_MSG')
  if (!isWithin(editMinutes)) fail('ERR_EDIT_TOO_LATE')
  return { type: 'edit', body: body ?? fail('ERR_VALIDATION', { body: 'Preencha este campo.' }) }
}

// A button can be pressed once: the message's key consists of message and button.
async function press(platform: Platform, visitor: Visitor, row: ConversationRow, buttonId = ''): Promise<void> {
  const button = row.fromMe ? buttonsOf(row.data)?.buttons.find((one) => one.id === buttonId) : undefined
  if (!button) return fail('ERR_VALIDATION', { buttonId: 'Esta mensagem não tem esse botão.' })
  await take(platform, visitor, {
    idFront: `${row.id}:${buttonId}`,
    ...{ type: 'interactive_reply', body: button.text, quotedId: row.id, data: { buttonId } },
  })
}
