import { readOutside } from '#kit/outside.ts'
import type { GroupMember, ProviderEvent } from '../port.ts'
import { momentOr, withoutIndexes } from '../read.ts'
import { contentOf, fileIn } from './content.ts'
import { providerIdOf } from './ids.ts'
import {
  type Chat,
  type Membership,
  type Message,
  type Press,
  type Reaction,
  telegramUpdate,
  type User,
} from './schemas.ts'

/** Kinds of updates that are read. */
export const READ = ['message', 'edited_message', 'callback_query', 'message_reaction', 'my_chat_member'] as const

/** Result of reading an update: events, id of a button press that expects an answer, names of unsupported parts. */
export type ReadUpdate = {
  readonly events: readonly ProviderEvent[]
  readonly press: string | null
  readonly unread: readonly string[]
}

/** Parses an update of a bot; without a timestamp it happened `now`. */
export function readUpdate(given: unknown, botId: string, now: Date): ReadUpdate {
  const whole = readOutside(telegramUpdate, given)
  if (!whole) return { events: [], press: null, unread: ['update'] }
  const { message, edited_message: edited, callback_query: press, message_reaction: reaction, ...rest } = whole.data
  const of = { botId, now: now.getTime(), id: rest.update_id ?? '' }
  const wrong = whole.wrong.map(withoutIndexes)
  const read = (name: string, events: readonly ProviderEvent[] | null): ReadUpdate => ({
    ...{ events: events ?? [], press: press?.id ?? null },
    unread: [...(events ? [] : [name]), ...wrong],
  })
  if (message) return read('message', readMessage(message, of))
  if (edited) return read('edited_message', changed(edited, of))
  if (press) return read('callback_query', pressed(press, of))
  if (reaction) return read('message_reaction', reacted(reaction, of))
  if (rest.my_chat_member) return read('my_chat_member', membership(rest.my_chat_member, of))
  return { events: [], press: null, unread: [...Object.keys(rest).filter((key) => key !== 'update_id'), ...wrong] }
}

/** Bot of an update, time of reading (epoch ms), and id of the update. */
type Of = { readonly botId: string; readonly now: number; readonly id: string }
/** Chat and number of a message. */
type Placed = { readonly chat: Chat & { readonly id: string }; readonly number: string }

// Without either its conversation is unknown.
function addressOf({
  chat,
  message_id: number,
}: {
  chat?: Chat | undefined
  message_id?: string | undefined
}): Placed | null {
  return chat?.id === undefined || number === undefined ? null : { chat: { ...chat, id: chat.id }, number }
}

const isGroup = ({ type }: Chat): boolean => type === 'group' || type === 'supergroup'
const isRead = (chat: Chat): boolean => chat.type === 'private' || isGroup(chat)
const nameOf = ({ first_name, last_name }: User): string => [first_name, last_name].filter(Boolean).join(' ')
const memberOf = (user: User): GroupMember[] =>
  user.id === undefined ? [] : [{ identity: user.id, name: nameOf(user) }]
const momentOf = (seconds = 0, { now }: Of): number => momentOr(seconds * 1000, now)

/** Returns conversation and author of a message; the author may be a group or channel (`sender_chat`). */
function placed({ chat }: Placed, { from, sender_chat: as }: Pick<Message, 'from' | 'sender_chat'>) {
  const sender =
    as?.id === undefined
      ? { identity: from?.id ?? chat.id, name: from ? nameOf(from) : '' }
      : { identity: as.id, name: as.title ?? '' }
  const group = isGroup(chat) ? { isGroup: true, groupName: chat.title ?? '' } : {}
  return { conversationKey: chat.id, sender, ...group }
}

function readMessage(message: Message, of: Of): ProviderEvent[] | null {
  const address = addressOf(message)
  if (!address) return null
  const { chat, number } = address
  if (!isRead(chat)) return []
  const providerId = providerIdOf(of.botId, chat.id, number)
  const news = isGroup(chat) ? groupNews(message, address, providerId, of) : []
  const content = contentOf(message)
  if (!content) return news
  const answered = message.reply_to_message
  // In a forum every message quotes the one that opened its topic.
  const quoted = answered && !answered.forum_topic_created ? answered.message_id : undefined
  return [
    ...news,
    {
      ...{ type: 'message', dedupeKey: withFile(providerId, message), ...placed(address, message) },
      message: {
        ...{ providerId, timestamp: momentOf(message.date, of), ...content },
        ...(quoted === undefined ? {} : { quotedProviderId: providerIdOf(of.botId, chat.id, quoted) }),
        ...(message.forward_origin ? { isForwarded: true } : {}),
        ...(message.media_group_id ? { album: message.media_group_id } : {}),
      },
    },
    ...ownNumber(message, address, providerId),
  ]
}

// Distinguishes edits that keep the file from those that replace it.
function withFile(providerId: string, message: Message): string {
  const unique = fileIn(message)?.[1].file_unique_id
  return unique ? `${providerId} ${unique}` : providerId
}

// A contact who shares their own number is known by it afterwards; other or forwarded cards prove nothing.
function ownNumber(
  { from, contact, forward_origin: passedOn }: Message,
  { chat }: Placed,
  providerId: string,
): ProviderEvent[] {
  if (chat.type !== 'private' || contact?.user_id === undefined || contact.user_id !== from?.id || passedOn) return []
  const identity = chat.id
  const number = (contact.phone_number ?? '').replace(/\D/g, '')
  const sender = { identity, alias: identity, number }
  return number ? [{ type: 'addresses', dedupeKey: `${providerId} number`, conversationKey: identity, sender }] : []
}

function groupNews(message: Message, { chat }: Placed, providerId: string, of: Of): ProviderEvent[] {
  const { from } = message
  const conversationKey = chat.id
  const timestamp = momentOf(message.date, of)
  const about = (what: string) => ({ dedupeKey: `${providerId} ${what}`, conversationKey, timestamp })
  const by = from?.id === undefined ? {} : { by: from.id }
  const people = (users: readonly User[]) => users.filter(({ id }) => id !== of.botId).flatMap(memberOf)
  const come = people(message.new_chat_members ?? [])
  const gone = people(message.left_chat_member ? [message.left_chat_member] : [])
  const moved = (old: string, to: string): ProviderEvent[] => [
    { type: 'moved', dedupeKey: `moved ${old} ${to}`, timestamp, conversationKey: old, to },
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

function changed(message: Message, of: Of): ProviderEvent[] | null {
  const address = addressOf(message)
  if (!address) return null
  const { chat, number } = address
  const content = isRead(chat) ? contentOf(message) : null
  const providerId = providerIdOf(of.botId, chat.id, number)
  const timestamp = momentOf(message.edit_date ?? message.date, of)
  const isWorded = message.text !== undefined || message.caption !== undefined
  const unique = fileIn(message)?.[1].file_unique_id
  // Live locations are edited too.
  if (!content || !(isWorded || unique)) return []
  const about = { conversationKey: chat.id, providerId, timestamp, ...authorOf(message.from) }
  const edit = { type: 'edit', dedupeKey: `${providerId} edit ${of.id}`, ...about, body: content.body } as const
  // The old file stays; the new one is added as an answer to it.
  const replaced: ProviderEvent[] = unique
    ? [
        {
          ...{ type: 'message', dedupeKey: withFile(providerId, message), ...placed(address, message) },
          message: {
            ...{ ...content, providerId: `${providerId}/${unique}`, timestamp, quotedProviderId: providerId },
            body: content.body || 'Trocou o arquivo desta mensagem.',
          },
        },
      ]
    : []
  return [...(isWorded ? [edit] : []), ...replaced]
}

// A user acting as the group itself has no identity.
const authorOf = (user: User | undefined) => (user?.id === undefined ? {} : { author: { identity: user.id } })

function reacted(reaction: Reaction, of: Of): ProviderEvent[] | null {
  const address = addressOf(reaction)
  if (!address) return null
  const { chat, number } = address
  if (!isRead(chat)) return []
  const now = reaction.new_reaction ?? []
  const emojis = now.flatMap((one) => (one.type === 'emoji' && one.emoji ? [one.emoji] : []))
  // Custom emojis have no character.
  if (now.length > 0 && emojis.length === 0) return []
  const providerId = providerIdOf(of.botId, chat.id, number)
  const emoji = emojis.at(-1)
  return [
    {
      ...{ type: 'reaction', dedupeKey: `${providerId} reaction ${of.id}`, conversationKey: chat.id },
      ...{ providerId, timestamp: momentOf(reaction.date, of), emoji: emoji === undefined ? null : coloured(emoji) },
      ...authorOf(reaction.user),
    },
  ]
}

/** Adds the emoji variation selector that Telegram omits, without which an emoji may be drawn as a character. */
const coloured = (emoji: string): string =>
  [...emoji].length === 1 && !/\p{Emoji_Presentation}/u.test(emoji) ? `${emoji}\uFE0F` : emoji

/** Returns an emoji in Telegram's form, without variation selectors. */
export const uncoloured = (emoji: string): string => emoji.replaceAll('\uFE0F', '')

function pressed({ id, from, message, data = '' }: Press, of: Of): ProviderEvent[] | null {
  if (id === undefined) return null
  const address = message && addressOf(message)
  if (!address || !isRead(address.chat)) return []
  const keyboard = message.reply_markup?.inline_keyboard ?? []
  const button = keyboard.flat().find((one) => one.callback_data === data)
  const providerId = `${of.botId}/press/${id}`
  return [
    {
      ...{ type: 'message', dedupeKey: providerId, ...placed(address, { from, sender_chat: undefined }) },
      message: {
        ...{ providerId, timestamp: of.now, type: 'interactive_reply', body: button?.text ?? 'Resposta' },
        ...{ data: { buttonId: data }, quotedProviderId: providerIdOf(of.botId, address.chat.id, address.number) },
      },
    },
  ]
}

function membership({ chat, date, new_chat_member: bot }: Membership, of: Of): ProviderEvent[] | null {
  if (chat?.id === undefined || bot?.status === undefined) return null
  if (!isRead(chat)) return []
  const blocksUs = bot.status === 'kicked' || bot.status === 'left'
  const about = { dedupeKey: `${chat.id} member ${of.id}`, conversationKey: chat.id }
  return [{ type: 'blocking', ...about, timestamp: momentOf(date, of), blocksUs }]
}
