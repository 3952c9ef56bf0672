import type { InlineKeyboardButton } from 'grammy/types'
import { buttonsOf, cardOf, locationOf } from '#domain/messages/data.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'
import { messageIn } from './ids.ts'
import { formatted } from './text.ts'

/** Call that sends a message. */
export type Sending = { readonly method: string; readonly payload: Readonly<Record<string, unknown>> }

/** Maximum size of a button's callback data, in bytes. */
const MOST_DATA = 64

/** Builds the call that sends a bot's message, with its file as a stream; an unsupported kind fails as refused. */
export async function sendingOf(
  message: Outbound,
  botId: string,
  { readFile }: Pick<ChannelTools, 'readFile'>,
): Promise<Sending> {
  const { type, body, data, file, conversationKey, quoted } = message
  const answers = quoted && messageIn(botId, quoted.providerId)
  const { text, entities } = formatted(body)
  const common = {
    chat_id: Number(conversationKey),
    // A quoted message that was deleted meanwhile is left out.
    ...(answers ? { reply_parameters: { message_id: answers.messageId, allow_sending_without_reply: true } } : {}),
  }
  if (file) {
    const { InputFile } = await import('grammy')
    const input = new InputFile(() => readFile(file.path), `"${file.name.replace(/["\\\r\n]/g, '_')}"`)
    const duration = file.durationMs ? { duration: Math.round(file.durationMs / 1000) } : {}
    const caption = text ? { caption: text, caption_entities: entities } : {}
    const as = (method: string, field: string, more: object = {}): Sending => ({
      ...{ method, payload: { ...common, [field]: input, ...caption, ...more } },
    })
    if (type === 'image') return file.mime === 'image/gif' ? as('sendAnimation', 'animation') : as('sendPhoto', 'photo')
    if (type === 'video') return as('sendVideo', 'video', { ...duration, supports_streaming: true })
    // Ogg is played only as a voice recording.
    if (type === 'audio')
      return file.mime.startsWith('audio/ogg') ? as('sendVoice', 'voice', duration) : as('sendAudio', 'audio', duration)
    if (type === 'sticker') return { method: 'sendSticker', payload: { ...common, sticker: input } }
    if (type === 'document') return as('sendDocument', 'document')
    throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  }
  const card = type === 'contact' ? cardOf(data) : null
  if (card)
    return { method: 'sendContact', payload: { ...common, phone_number: card.phoneNumber, first_name: card.fullName } }
  const location = type === 'location' ? locationOf(data) : null
  if (location) {
    const { latitude, longitude, name, address } = location
    const point = { ...common, latitude, longitude }
    if (!name && !address) return { method: 'sendLocation', payload: point }
    // Title and address are both required.
    return { method: 'sendVenue', payload: { ...point, title: name ?? address, address: address ?? name } }
  }
  const set = type === 'buttons' ? buttonsOf(data) : null
  if (set) {
    const isLong = set.buttons.some(({ id }) => Buffer.byteLength(id) > MOST_DATA)
    if (isLong) throw sendFailure('refused', `O Telegram leva de um botão um nome de no máximo ${MOST_DATA} letras.`)
    const keyboard = set.buttons.map(({ id, text: shown }): InlineKeyboardButton[] => [
      { text: shown, callback_data: id },
    ])
    const caption = formatted(set.footer ? `${body}\n\n${set.footer}` : body)
    return { method: 'sendMessage', payload: { ...common, ...caption, reply_markup: { inline_keyboard: keyboard } } }
  }
  if (type !== 'text') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  return { method: 'sendMessage', payload: { ...common, text, entities } }
}
