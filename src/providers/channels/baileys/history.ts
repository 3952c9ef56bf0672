import type { BinaryNode, WAMessage, WASocket } from 'baileys'
import type { Dispatcher } from 'undici'
import { ownMember } from '#domain/keys.ts'
import { firstOf, lastOf } from '#domain/present.ts'
import {
  type ChannelQuestions,
  type HistoryMessage,
  type Link,
  type ProviderEvent,
  type StateValue,
  sendFailure,
} from '../port.ts'
import { conversationOf } from '../whatsapp-addresses.ts'
import { eventsOfMessage, type Own } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'
import { type Library, silent } from './library.ts'

/** Access to the older conversations on a device's phone. */
export type DeviceHistory = ReturnType<typeof openHistory>

/** Time-out of the phone's answer, in ms. */
const ANSWER_MS = 25_000
/** Number of conversations per page. */
const PAGE = 500
/** Maximum number of messages that a phone returns at once, whatever the request (library documentation). */
const MOST_AT_ONCE = 50
const CHATS = 'chats'
const PARTS = 'history'
/** Delays before a failed part is retried, in ms; later retries wait for the next reconnection. */
const RETRY_MS = [2000, 10_000, 60_000]
/** Time for which WhatsApp stores a part's file, in ms. */
const GONE_MS = 14 * 86_400_000
const STATUS = { 2: 'sent', 3: 'delivered', 4: 'read', 5: 'played' } as const

/** Newest message of a conversation, received from the phone at linking; `jid` is the phone's address of it. */
type Chat = { readonly jid: string; readonly newest: HistoryMessage }
/** Part of the history that the phone has announced, until it is stored; `since`: time at which the device had been unlinked. */
type Part = { readonly notification: string; readonly since: number | null; readonly at: number }
type Cursor = { readonly id: string; readonly fromMe: boolean; readonly at: number }

const timeOf = ({ messageTimestamp }: WAMessage): number => Number(messageTimestamp) * 1000

/** Sorts messages oldest first; those of the same second stay in their order. */
function inOrder(messages: readonly WAMessage[]): WAMessage[] {
  const isNewestFirst = messages.length > 1 && timeOf(firstOf(messages)) > timeOf(lastOf(messages))
  return (isNewestFirst ? messages.toReversed() : [...messages]).sort((a, b) => timeOf(a) - timeOf(b))
}

/** Requests earlier messages from the phone that a device is linked to. */
export function openHistory(
  library: Library,
  {
    keys,
    link,
    own,
    dispatcher,
    since,
    socket,
  }: {
    keys: DeviceKeys
    link: Pick<Link, 'state'>
    own: () => Own
    dispatcher: Dispatcher
    since: number | null
    socket: () => WASocket
  },
) {
  const { ON_DEMAND, INITIAL_BOOTSTRAP, RECENT, FULL } = library.proto.HistorySync.HistorySyncType
  const SAVED: readonly unknown[] = [INITIAL_BOOTSTRAP, RECENT, FULL]
  const options = { dispatcher } as never
  let asked: { readonly jid: string; answer(messages: readonly WAMessage[]): void } | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const parts = link.state
    .get([PARTS])
    .then((found) => new Map(Object.entries((found.get(PARTS) ?? {}) as Record<string, Part>)))
  const partsState = (all: ReadonlyMap<string, Part>) => [PARTS, Object.fromEntries(all)] as const
  let noting: Promise<unknown> = Promise.resolve()

  const partOf = ({ attrs: { category, from = '' } }: BinaryNode, plain: Uint8Array) => {
    const isOwn = [own().id, own().lid].some((one) => conversationOf(one) === conversationOf(from))
    if (category !== 'peer' || !isOwn) return null
    const { protocolMessage } = library.proto.Message.decode(library.unpadRandomMax16(plain))
    return protocolMessage?.historySyncNotification ?? null
  }

  const chatsOf = async () => ((await link.state.get([CHATS])).get(CHATS) ?? {}) as unknown as Record<string, Chat>

  async function eventOf(message: WAMessage): Promise<HistoryMessage | null> {
    const [event] = await eventsOfMessage(library, message, own())
    if (event?.type !== 'message' && event?.type !== 'echo') return null
    const status = ownMember(STATUS, Number(message.status))
    const { type, ...spoken } = event
    const fromMe = type === 'echo'
    return { ...spoken, type: 'history', fromMe, ...(fromMe && status ? { status } : {}) }
  }

  /** Returns up to `count` messages of a conversation before one of them, from the phone. */
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

  /**
   * Stores the newest message of each conversation in a history part. Messages since the device was unlinked, which no
   * device received, become events (`since`, epoch ms; null: first linking).
   */
  async function note(id: string, { notification, since }: Part): Promise<void> {
    const part = library.proto.Message.HistorySyncNotification.decode(Buffer.from(notification, 'base64'))
    const { messages, lidPnMappings = [] } = await library.downloadAndProcessHistorySyncNotification(
      part,
      options,
      silent,
    )
    // The number mappings are queried while the messages are read.
    await socket().signalRepository.lidMapping.storeLIDPNMappings(lidPnMappings)
    const chats = { ...(await chatsOf()) }
    const ordered = inOrder(messages)
    for (const message of ordered) {
      const newest = await eventOf(message)
      if (!newest) continue
      const known = chats[newest.conversationKey]
      if (known && known.newest.message.timestamp > newest.message.timestamp) continue
      chats[newest.conversationKey] = { jid: message.key.remoteJid!, newest }
    }
    const late = since === null ? [] : ordered.filter((message) => timeOf(message) + 999 >= since)
    const events: ProviderEvent[] = []
    for (const message of late) events.push(...(await eventsOfMessage(library, message, own())))
    const all = await parts
    const left = new Map(all)
    left.delete(id)
    await keys.write(events, new Map([[CHATS, chats as unknown as StateValue], partsState(left)]))
    all.delete(id)
  }

  /** Stores the announced parts one after another; failed ones are retried. */
  function noteAll(tries = 0): void {
    noting = noting.then(async () => {
      const failed: unknown[] = []
      for (const [id, part] of await parts) await note(id, part).catch((error) => failed.push(error))
      if (failed.length > 0) throw failed[0]
    })
    noting = noting.catch(() => {
      const ms = RETRY_MS[tries]
      if (ms !== undefined) setTimeout(noteAll, ms, tries + 1).unref()
    })
  }

  return {
    /** Stores the announcement of a history part before it is acknowledged; its file is fetched afterwards. */
    async announce(stanza: BinaryNode, plain: Uint8Array): Promise<void> {
      const part = partOf(stanza, plain)
      if (!part || !SAVED.includes(part.syncType)) return
      const notification = Buffer.from(library.proto.Message.HistorySyncNotification.encode(part).finish()).toString(
        'base64',
      )
      const all = await parts
      for (const [id, { at }] of all) if (at < Date.now() - GONE_MS) all.delete(id)
      all.set(stanza.attrs['id'] ?? '', { notification, since, at: Date.now() })
      await keys.write([], new Map([partsState(all)]))
      noteAll()
    },
    /** Stores the pending parts after a reconnection. */
    resume: () => noteAll(),
    /** Takes a peer message of the phone if it answers the pending request. */
    async take(stanza: BinaryNode, plain: Uint8Array) {
      if (!asked) return
      const part = partOf(stanza, plain)
      if (part?.syncType !== ON_DEMAND) return
      const { chats, messages } = await library.downloadAndProcessHistorySyncNotification(part, options, silent)
      if (chats.every(({ id }) => id === asked?.jid)) asked?.answer(messages.map((one) => one))
    },
    async chats({ after }: ChannelQuestions['chats']['about']): Promise<ChannelQuestions['chats']['answer']> {
      // Pending history parts are recorded first, because imports start right after linking.
      await noting
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
      const count = Math.min(MOST_AT_ONCE, about.limit - (isFirst ? 1 : 0))
      const ask = turn.then(() => (count === 0 ? [] : before(jid, cursor, count)))
      turn = ask.catch(() => {})
      const older = inOrder(await ask).slice(-count || undefined)
      const messages: HistoryMessage[] = []
      for (const message of older) messages.push(...[await eventOf(message)].flatMap((event) => event ?? []))
      const [oldest] = older
      const next = oldest ? { id: oldest.key.id, fromMe: Boolean(oldest.key.fromMe), at: timeOf(oldest) } : cursor
      const isEnd = older.length < count
      return { messages: isFirst ? [...messages, newest] : messages, before: isEnd ? null : JSON.stringify(next) }
    },
  }
}
