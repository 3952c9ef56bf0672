import { buttonsOf } from '#domain/messages/data.ts'
import type { Outbound } from '../../port.ts'

/** Converts a message for the Send API; `attachmentId`: id of its uploaded file. Null for an unsupported kind. */
export function sendingOf(message: Outbound, attachmentId: string | null, isInstagram: boolean): object | null {
  const { conversationKey, commentId, isHumanAgent, messageId } = message
  const content = contentOf(message, attachmentId)
  if (!content) return null
  const answer = isInstagram ? {} : { messaging_type: 'RESPONSE' }
  return {
    recipient: commentId ? { comment_id: commentId } : { id: conversationKey },
    ...(isHumanAgent ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : answer),
    // Messenger returns it with the echo of the message.
    message: { ...content, ...(isInstagram ? {} : { metadata: messageId }) },
  }
}

/** Returns Meta's name of a kind of file. */
export const attachmentType = (type: string): string => (type === 'document' ? 'file' : type)

/** Returns the text of a message, with the footer of its buttons. */
export const textOf = ({ body, data }: Pick<Outbound, 'body' | 'data'>): string =>
  [body, buttonsOf(data)?.footer].filter(Boolean).join('\n\n')

function contentOf({ type, body, data, file }: Outbound, id: string | null): object | null {
  if (file && id) return { attachment: { type: attachmentType(type), payload: { attachment_id: id } } }
  if (type === 'text') return { text: body }
  const buttons = type === 'buttons' && buttonsOf(data)
  if (!buttons) return null
  const replies = buttons.buttons.map(({ id: payload, text: title }) => ({ content_type: 'text', title, payload }))
  return { text: textOf({ body, data }), quick_replies: replies }
}
