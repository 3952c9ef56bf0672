import type { BinaryNode, WAMessage, WASocket } from 'baileys'
import type { Dispatcher } from 'undici'
import {
  type ChannelQuestions,
  type HistoryMessage,
  type Link,
  type ProviderEvent,
  type StateValue,
  sendFailure,
} from '../port.ts'
import { conversationOf, eventsOfMessage, type Own } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'
import { type Library, silent } from './library.ts'

/** What the phone keeps of older conversations. */
export type DeviceHistory = ReturnType<typeof openHistory>

/** So long the phone may take to answer. */
const ANSWER_MS = 25_000
/** So many conversations are named at once. */
const PAGE = 500
const CHATS = 'chats'
const STATUS = { 2: 'sent', 3: 'delivered', 4: 'read', 5: 'played' } as const

/** The newest message of a conversation that the phone gave when it was linked; `jid` is how the phone calls it. */
type Chat = { readonly jid: string; readonly newest: HistoryMessage }
type Cursor = { readonly id: string; readonly fromMe: boolean; readonly at: number }

const timeOf = ({ messageTimestamp }: WAMessage): number => Number(messageTimestamp) * 1000

/** Oldest first; what was written in the same second stays in its order. */
function inOrder(messages: readonly WAMessage[]): WAMessage[] {
  const isNewestFirst = messages.length > 1 && timeOf(messages[0]!) > timeOf(messages.at(-1)!)
  return (isNewestFirst ? messages.toReversed() : [...messages]).sort((a, b) => timeOf(a) - timeOf(b))
}

/** Asks the phone to which a device is linked for what was written before. */
export function openHistory(
  library: Library,
  {
    keys,
    link,
    own,
    dispatcher,
    socket,
  }: {
    keys: DeviceKeys
    link: Pick<Link, 'state'>
    own: () => Own
    dispatcher: Dispatcher
    socket: () => WASocket
  },
) {
  const { ON_DEMAND } = library.proto.HistorySync.HistorySyncType
  let asked: { readonly jid: string; answer(messages: readonly WAMessage[]): void } | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const chatsOf = async () => ((await link.state.get([CHATS])).get(CHATS) ?? {}) as unknown as Record<string, Chat>

  async function eventOf(message: WAMessage): Promise<HistoryMessage | null> {
    const [event] = await eventsOfMessage(library, message, own())
    if (event?.type !== 'message' && event?.type !== 'echo') return null
    const status = STATUS[Number(message.status) as keyof typeof STATUS]
    const { type, ...spoken } = event
    const fromMe = type === 'echo'
    return { ...spoken, type: 'history', fromMe, ...(fromMe && status ? { status } : {}) }
  }

  /** Up to `count` messages of a conversation before one of them, as the phone has them. */
  async function before(jid: string, { id, fromMe, at }: Cursor, count: number): Promise<readonly WAMessage[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly WAMessage[]>()
    asked = { jid, answer: resolve }
    const silence = () => reject(sendFailure('unreachable', 'o telefone não respondeu'))
    const timer = setTimeout(silence, ANSWER_MS)
    try {
      await socket().fetchMessageHistory(count, { remoteJid: jid, fromMe, id }, at)
      return await promise
    } finally {
      clearTimeout(timer)
      asked = null
    }
  }

  return {
    /**
     * Notes the newest message of each conversation of which the phone tells when it is linked. What was said since it was
     * unlinked, which no device was given, comes in by that (`since`, epoch ms; null: it is linked for the first time).
     */
    async note(messages: readonly WAMessage[], since: number | null) {
      if (messages.length === 0) return
      const chats = { ...(await chatsOf()) }
      for (const message of inOrder(messages)) {
        const newest = await eventOf(message)
        if (!newest) continue
        const known = chats[newest.conversationKey]
        if (known && known.newest.message.timestamp > newest.message.timestamp) continue
        chats[newest.conversationKey] = { jid: message.key.remoteJid!, newest }
      }
      const late = since === null ? [] : inOrder(messages).filter((message) => timeOf(message) + 999 >= since)
      const events: ProviderEvent[] = []
      for (const message of late) events.push(...(await eventsOfMessage(library, message, own())))
      await keys.write(events, new Map([[CHATS, chats as unknown as StateValue]]))
    },
    /** Takes what the phone says to its device: the answer that is waited for, or nothing of interest. */
    async take({ attrs: { category, from = '' } }: BinaryNode, plain: Uint8Array) {
      const isOwn = [own().id, own().lid].some((one) => conversationOf(one) === conversationOf(from))
      if (category !== 'peer' || !isOwn || !asked) return
      const { protocolMessage } = library.proto.Message.decode(library.unpadRandomMax16(plain))
      const part = protocolMessage?.historySyncNotification
      if (part?.syncType !== ON_DEMAND) return
      const options = { dispatcher } as never
      const { chats, messages } = await library.downloadAndProcessHistorySyncNotification(part, options, silent)
      if (chats.every(({ id }) => id === asked?.jid)) asked?.answer(messages.map((one) => one as WAMessage))
    },
    async chats({ after }: ChannelQuestions['chats']['about']): Promise<ChannelQuestions['chats']['answer']> {
      const all = Object.keys(await chatsOf())
      const from = after === null ? 0 : Number(after)
      const end = from + PAGE
      return { chats: all.slice(from, end), next: end < all.length ? String(end) : null, total: all.length }
    },
    async history(about: ChannelQuestions['history']['about']): Promise<ChannelQuestions['history']['answer']> {
      const chat = (await chatsOf())[about.conversationKey]
      if (!chat) return { messages: [], before: null }
      const { newest, jid } = chat
      const isFirst = about.before === null
      const { providerId: id, timestamp: at } = newest.message
      const cursor = isFirst ? { id, fromMe: newest.fromMe, at } : (JSON.parse(about.before!) as Cursor)
      const count = about.limit - (isFirst ? 1 : 0)
      const ask = turn.then(() => (count === 0 ? [] : before(jid, cursor, count)))
      turn = ask.catch(() => {})
      const older = inOrder(await ask).slice(-count || undefined)
      const messages: HistoryMessage[] = []
      for (const message of older) messages.push(...[await eventOf(message)].flatMap((event) => event ?? []))
      const [oldest] = older
      const next = oldest ? { id: oldest.key.id!, fromMe: Boolean(oldest.key.fromMe), at: timeOf(oldest) } : cursor
      const isEnd = older.length < count
      return { messages: isFirst ? [...messages, newest] : messages, before: isEnd ? null : JSON.stringify(next) }
    },
  }
}
