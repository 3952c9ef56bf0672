import type {
  CallbackQuery,
  Chat,
  ChatMemberUpdated,
  Message,
  MessageReactionUpdated,
  Update,
  User,
} from 'grammy/types'
import type { GroupMember, ProviderEvent } from '../port.ts'
import { contentOf } from './content.ts'
import { providerIdOf } from './ids.ts'

/** The kinds of updates that are read. */
export const READ = ['message', 'edited_message', 'callback_query', 'message_reaction', 'my_chat_member'] as const

/** What an update says: events, the id of the press of a button that wants an answer, and its kind where that is not read. */
export type ReadUpdate = {
  readonly events: readonly ProviderEvent[]
  readonly press: string | null
  readonly unread: readonly string[]
}

/** Reads an update of a bot; what has no time of its own was said `now`. */
export function readUpdate(update: Update, botId: string, now: Date): ReadUpdate {
  const { message, edited_message: edited, callback_query: press, message_reaction: reaction } = update
  const id = update.update_id
  const read = (events: readonly ProviderEvent[]): ReadUpdate => ({ events, press: press?.id ?? null, unread: [] })
  if (message) return read(readMessage(message, botId))
  if (edited) return read(changed(edited, botId, id))
  if (press) return read(pressed(press, botId, now))
  if (reaction) return read(reacted(reaction, botId, id))
  if (update.my_chat_member) return read(membership(update.my_chat_member, id))
  return { events: [], press: null, unread: Object.keys(update).filter((key) => key !== 'update_id') }
}

const isGroup = ({ type }: Chat): boolean => type === 'group' || type === 'supergroup'
const isRead = (chat: Chat): boolean => chat.type === 'private' || isGroup(chat)
const nameOf = ({ first_name, last_name }: User): string => [first_name, last_name].filter(Boolean).join(' ')
const memberOf = (user: User): GroupMember => ({ identity: String(user.id), name: nameOf(user) })

/** In what conversation something was said, and by whom; whoever writes in the name of a group or channel is that. */
function placed({ chat, from, sender_chat: as }: Pick<Message, 'chat' | 'from' | 'sender_chat'>) {
  const sender = as
    ? { identity: String(as.id), name: as.title ?? '' }
    : { identity: String(from?.id ?? chat.id), name: from ? nameOf(from) : '' }
  const group = isGroup(chat) ? { isGroup: true, groupName: chat.title ?? '' } : {}
  return { conversationKey: String(chat.id), sender, ...group }
}

function readMessage(message: Message, botId: string): ProviderEvent[] {
  const { chat, date, message_id: number } = message
  if (!isRead(chat)) return []
  const providerId = providerIdOf(botId, chat.id, number)
  const timestamp = date * 1000
  const news = isGroup(chat) ? groupNews(message, botId, providerId) : []
  const content = contentOf(message)
  if (!content) return news
  const answered = message.reply_to_message
  // In a forum every message answers the one that opened its topic.
  const quoted = answered && !answered.forum_topic_created ? answered.message_id : null
  const author = placed(message)
  return [
    ...news,
    {
      ...{ type: 'message', dedupeKey: providerId, ...author },
      message: {
        ...{ providerId, timestamp, ...content },
        ...(quoted === null ? {} : { quotedProviderId: providerIdOf(botId, chat.id, quoted) }),
        ...(message.forward_origin ? { isForwarded: true } : {}),
        ...(message.media_group_id ? { album: message.media_group_id } : {}),
      },
    },
    ...ownNumber(message, providerId),
  ]
}

// Whoever gives away their own number is known by it from now on; that of others, or a card passed on, proves nothing.
function ownNumber({ chat, from, contact, forward_origin: passedOn }: Message, providerId: string): ProviderEvent[] {
  if (chat.type !== 'private' || !contact || contact.user_id !== from?.id || passedOn) return []
  const identity = String(chat.id)
  const number = contact.phone_number.replace(/\D/g, '')
  const sender = { identity, alias: identity, number }
  return number ? [{ type: 'addresses', dedupeKey: `${providerId} number`, conversationKey: identity, sender }] : []
}

function groupNews(message: Message, botId: string, providerId: string): ProviderEvent[] {
  const { chat, date, from } = message
  const conversationKey = String(chat.id)
  const about = (what: string) => ({
    ...{ dedupeKey: `${providerId} ${what}`, conversationKey, timestamp: date * 1000 },
  })
  const by = from ? { by: String(from.id) } : {}
  const people = (users: readonly User[]) => users.filter(({ id }) => String(id) !== botId).map(memberOf)
  const come = people(message.new_chat_members ?? [])
  const gone = people(message.left_chat_member ? [message.left_chat_member] : [])
  const moved = (old: number, to: number): ProviderEvent[] => [
    {
      ...{ type: 'moved', dedupeKey: `moved ${old} ${to}`, timestamp: date * 1000 },
      ...{ conversationKey: String(old), to: String(to) },
    },
  ]
  return [
    ...(come.length > 0
      ? [{ type: 'participants', change: 'add', members: come, ...by, ...about('come') } as const]
      : []),
    ...(gone.length > 0
      ? [{ type: 'participants', change: 'remove', members: gone, ...by, ...about('gone') } as const]
      : []),
    ...(message.new_chat_title
      ? [{ type: 'profile', name: message.new_chat_title, ...by, ...about('title') } as const]
      : []),
    ...(message.new_chat_photo || message.delete_chat_photo ? [{ type: 'picture', ...about('photo') } as const] : []),
    ...(message.migrate_to_chat_id ? moved(chat.id, message.migrate_to_chat_id) : []),
    ...(message.migrate_from_chat_id ? moved(message.migrate_from_chat_id, chat.id) : []),
  ]
}

function changed(message: Message, botId: string, updateId: number): ProviderEvent[] {
  const { chat, message_id: number, date, edit_date: at = date } = message
  // A place that goes on moving is edited too.
  if (!isRead(chat) || (message.text === undefined && message.caption === undefined)) return []
  const content = contentOf(message)
  const providerId = providerIdOf(botId, chat.id, number)
  const about = { conversationKey: String(chat.id), providerId, timestamp: at * 1000, ...authorOf(message.from) }
  return content ? [{ type: 'edit', dedupeKey: `${providerId} edit ${updateId}`, ...about, body: content.body }] : []
}

// Whoever acts as a group itself is nobody in particular.
const authorOf = (user: User | undefined) => (user ? { author: { identity: String(user.id) } } : {})

function reacted(
  { chat, message_id: number, date, user, new_reaction: now }: MessageReactionUpdated,
  botId: string,
  updateId: number,
): ProviderEvent[] {
  if (!isRead(chat)) return []
  const emojis = now.flatMap((one) => (one.type === 'emoji' ? [one.emoji] : []))
  // One of the company's own making has no letter.
  if (now.length > 0 && emojis.length === 0) return []
  const providerId = providerIdOf(botId, chat.id, number)
  const emoji = emojis.at(-1)
  return [
    {
      ...{ type: 'reaction', dedupeKey: `${providerId} reaction ${updateId}`, conversationKey: String(chat.id) },
      ...{ providerId, timestamp: date * 1000, emoji: emoji === undefined ? null : coloured(emoji) },
      ...authorOf(user),
    },
  ]
}

/** An emoji that would be drawn like a letter, as a picture: Telegram leaves out what says so. */
const coloured = (emoji: string): string =>
  [...emoji].length === 1 && !/\p{Emoji_Presentation}/u.test(emoji) ? `${emoji}\uFE0F` : emoji

/** The same as Telegram writes it. */
export const uncoloured = (emoji: string): string => emoji.replaceAll('\uFE0F', '')

function pressed({ id, from, message, data = '' }: CallbackQuery, botId: string, now: Date): ProviderEvent[] {
  if (!message || !isRead(message.chat)) return []
  const keyboard = ('reply_markup' in message && message.reply_markup?.inline_keyboard) || []
  const button = keyboard.flat().find((one) => 'callback_data' in one && one.callback_data === data)
  const providerId = `${botId}/press/${id}`
  return [
    {
      ...{ type: 'message', dedupeKey: providerId, ...placed({ chat: message.chat, from }) },
      message: {
        ...{ providerId, timestamp: now.getTime(), type: 'interactive_reply', body: button?.text ?? 'Resposta' },
        ...{ data: { buttonId: data }, quotedProviderId: providerIdOf(botId, message.chat.id, message.message_id) },
      },
    },
  ]
}

function membership({ chat, date, new_chat_member: bot }: ChatMemberUpdated, updateId: number): ProviderEvent[] {
  if (!isRead(chat)) return []
  const blocksUs = bot.status === 'kicked' || bot.status === 'left'
  const about = { dedupeKey: `${chat.id} member ${updateId}`, conversationKey: String(chat.id) }
  return [{ type: 'blocking', ...about, timestamp: date * 1000, blocksUs }]
}
