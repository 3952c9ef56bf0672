import { formatBytes } from '#domain/bytes.ts'
import { locationOf } from '#domain/messages/data.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { lastOf } from '#domain/present.ts'
import { moneyText, textIn } from '../found-text.ts'
import type { EchoMessage } from '../port.ts'
import { sharedCard } from '../shared-card.ts'
import type { Filed, Message } from './schemas.ts'
import { marked } from './text.ts'

/** Content of a message, without author, time and quote. */
export type Content = Pick<EchoMessage['message'], 'type' | 'body' | 'data' | 'remote'>

/** Pointer to a file. */
export type MediaPointer = { readonly fileId: string }

/** Maximum size of a file that bots may download, in bytes. */
const MOST_BYTES_IN = 20 * 1024 * 1024

const UNSEEN = 'Mensagem de um tipo que não pode ser mostrado aqui. Veja no Telegram.'

/** Field names of service messages, which have no author's content. */
const SERVICE =
  /^(new_chat_|left_chat_|delete_chat_|group_chat_|supergroup_chat_|channel_chat_|chat_|message_auto_delete_|migrate_|pinned_message|refunded_payment|users_shared|connected_website|write_access_|passport_data|proximity_alert_|boost_added|forum_topic_|general_forum_topic_|giveaway_c|video_chat_|paid_message_|direct_message_)/

/** Fields with author and context of a message, not its content. */
const ABOUT = [
  'chat',
  'from',
  'sender_chat',
  'via_bot',
  'reply_to_message',
  'external_reply',
  'forward_origin',
  'quote',
]

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/** Converts a message into its content; null for service messages. */
export function contentOf(message: Message): Content | null {
  const body = marked(message.caption ?? '', message.caption_entities)
  const file = fileIn(message)
  const shown = file && filed(...file, body)
  if (shown) return shown
  const { text, contact, location, venue, poll, dice, sticker } = message
  if (text !== undefined) return { type: 'text', body: marked(text, message.entities) }
  // An animated sticker without a picture.
  if (sticker) return { type: 'text', body: sticker.emoji ?? 'Figurinha' }
  if (contact) {
    const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ')
    const number = contact.phone_number ?? ''
    const { fullName = name, more = [] } = sharedCard(name, contact.vcard, number ? [number] : []) ?? {}
    const others = more.filter((one) => digitsIn(one) !== digitsIn(number) || digitsIn(one) === '')
    const data = { fullName, phoneNumber: number, ...(others.length > 0 ? { more: others } : {}) }
    return { type: 'contact', body: fullName, data }
  }
  const { title: name, address } = venue ?? {}
  const found = locationOf({ ...(venue?.location ?? location), name, address })
  if (found) return { type: 'location', body: found.name ?? '', data: found }
  if (poll?.question !== undefined) {
    const options = (poll.options ?? []).flatMap((option) => option.text ?? [])
    return {
      type: 'poll',
      body: poll.question,
      data: { poll: { options, many: poll.allows_multiple_answers ?? false } },
    }
  }
  const { story, web_app_data: form, successful_payment: paid, checklist } = message
  // Stories are shown by Telegram only, so a link is given.
  if (story?.chat?.username && story.id)
    return { type: 'text', body: `Story: https://t.me/${story.chat.username}/s/${story.id}` }
  if (checklist?.title !== undefined) {
    const tasks = (checklist.tasks ?? []).map(({ text: task = '', completion_date }) =>
      completion_date ? `✓ ${task}` : `• ${task}`,
    )
    return { type: 'text', body: [checklist.title, ...tasks].join('\n') }
  }
  if (form?.data) return { type: 'text', body: [form.button_text, form.data].filter(Boolean).join(': ') }
  // Amounts are in the smallest unit of their currency; Telegram's own currency has no smaller unit.
  if (paid?.total_amount !== undefined) {
    const amount = paid.currency === 'XTR' ? paid.total_amount : paid.total_amount / 100
    return { type: 'text', body: `Pagamento: ${moneyText(amount, paid.currency)}` }
  }
  if (dice) return { type: 'text', body: `${dice.emoji ?? ''} ${dice.value ?? ''}`.trim() }
  if (Object.keys(message).some((key) => SERVICE.test(key))) return null
  const otherText = textIn(Object.fromEntries(Object.entries(message).filter(([key]) => !ABOUT.includes(key))))
  return { type: 'text', body: [UNSEEN, otherText].filter(Boolean).join('\n') }
}

/** Returns the file of a message, its kind, and a default name. */
export function fileIn(message: Message): [FileKind, Filed, string] | null {
  const { photo, animation, video, video_note: round, audio, voice, document, sticker } = message
  if (photo?.length) return ['image', lastOf(photo), 'imagem.jpg']
  // An animation also contains a document, for older clients.
  if (animation) return ['video', animation, 'animacao.mp4']
  if (video) return ['video', video, 'video.mp4']
  if (round) {
    const side = round.length === undefined ? {} : { width: round.length, height: round.length }
    return ['video', { ...round, ...side }, 'video.mp4']
  }
  if (voice) return ['audio', voice, 'audio.ogg']
  if (audio) return ['audio', audio, `${audio.title ?? 'audio'}.mp3`]
  if (document) return ['document', document, 'documento']
  if (!sticker) return null
  // Animated stickers are shown as their picture.
  const still = sticker.is_animated || sticker.is_video ? sticker.thumbnail : sticker
  return still ? ['sticker', still, 'figurinha.webp'] : null
}

function filed(type: FileKind, file: Filed, called: string, body: string): Content | null {
  const { file_id: fileId, file_size: size = null, file_name: name = called, duration, width, height } = file
  if (fileId === undefined) return null
  if (size !== null && size > MOST_BYTES_IN) {
    const notice = `Arquivo “${name}” (${formatBytes(size)}): o Telegram não entrega a bots arquivos de mais de 20 MB. Peça um link, ou o arquivo em partes.`
    return { type: 'text', body: [body, notice].filter(Boolean).join('\n') }
  }
  const pointer: MediaPointer = { fileId }
  const remote = {
    ...{ name, size, pointer },
    ...(duration ? { durationMs: duration * 1000 } : {}),
    ...(width && height ? { width, height } : {}),
  }
  return { type, body, remote }
}
