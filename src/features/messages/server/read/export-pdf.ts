import type { Readable } from 'node:stream'
import { groupEventOf, groupEventText } from '#domain/messages/group-event.ts'
import { MESSAGE_TYPE_LABELS } from '#domain/messages/types.ts'
import type { MessageRecord } from '#features/ledger/server/messages/index.ts'
import { messagesPdf, type PaperRow } from '#server/messages-pdf.ts'

/** Conversation to export: header data, and its messages in order as an async stream. */
export type Exported = {
  readonly name: string
  readonly contact: string
  readonly protocol: string
  readonly timezone: string
  readonly now: Date
  readonly messages: AsyncIterable<MessageRecord[]>
}

/** Returns a conversation as a PDF stream (product facts, F): date, time, author and content; files by name. */
export const conversationPdf = ({ contact, protocol, timezone, now, messages }: Exported): Promise<Readable> =>
  messagesPdf({
    title: 'Relatório de Mensagens - Atendimento',
    about: `${contact} · protocolo ${protocol}`,
    ...{ timezone, now, rows: rowsOf(messages) },
  })

async function* rowsOf(pages: Exported['messages']): AsyncGenerator<PaperRow[]> {
  for await (const page of pages)
    yield page.map((one) => ({ at: one.timestamp, who: authorOf(one), what: textOf(one) }))
}

const authorOf = (message: MessageRecord): string =>
  message.from_me
    ? `${message.user_name ?? 'Sistema'}${message.is_note && message.media_type !== 'group_event' ? ' (nota interna)' : ''}`
    : (message.sender?.name ?? message.contact_name)

function textOf({ is_deleted, media_type, body, file_name, data }: MessageRecord): string {
  if (is_deleted) return '(mensagem apagada)'
  const event = media_type === 'group_event' ? groupEventOf(data) : null
  if (event) return groupEventText(event)
  const label = MESSAGE_TYPE_LABELS[media_type] ?? media_type
  const file = file_name ? `[${label}: ${file_name}]` : ''
  return [file, body].filter(Boolean).join('\n') || `[${label}]`
}
