import { MESSAGE_TYPE_LABELS, type MessageType } from './types.ts'

/** Message fields that a preview is made from. */
export type Previewed = {
  readonly type: MessageType
  readonly body: string
  readonly mediaName?: string | null
  readonly isDeleted?: boolean
}

const LIMIT = 200
/** Types whose preview is their text; others are announced by their type's name. */
const PLAIN: ReadonlySet<MessageType> = new Set([
  'text',
  'interactive_reply',
  'note',
  'transfer',
  'transcription',
  'undecrypted',
  'call',
])

/**
 * Formats a message as one line of at most 200 characters for lists and notifications: the text, or the media type with
 * caption or file name.
 */
export function previewOf(message: Previewed): string {
  if (message.isDeleted) return 'Mensagem apagada'
  const label = MESSAGE_TYPE_LABELS[message.type]
  const body = oneLine(message.body)
  if (PLAIN.has(message.type)) return body || label
  const detail = body || (message.type === 'document' ? oneLine(message.mediaName ?? '') : '')
  return detail ? shorten(`${label}: ${detail}`) : label
}

function oneLine(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim())
}

function shorten(text: string): string {
  const characters = Array.from(text)
  return characters.length > LIMIT
    ? `${characters
        .slice(0, LIMIT - 1)
        .join('')
        .trimEnd()}…`
    : text
}
