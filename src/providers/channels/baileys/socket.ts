import type { Duplex } from 'node:stream'
import type { AnyMessageContent, BinaryNode, WAMessageKey, WASocket } from 'baileys'
import type { Dispatcher } from 'undici'
import { fieldIn } from '#domain/keys.ts'
import { present } from '#domain/present.ts'
import { guardedAgent } from '../../guarded-agent.ts'
import type { ChannelTools, Link, ProviderEvent } from '../port.ts'
import { type DeviceCalls, openCalls } from './calls.ts'
import { followCatchUp } from './catch-up.ts'
import { type DeviceGroups, openGroups } from './groups.ts'
import { type DeviceHistory, openHistory } from './history.ts'
import { eventsOf, keyOf, mappingOf, type Own, placeholderOf, receiptsOf, viewOnceOf } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'
import { type Library, silent } from './library.ts'
import { type SocketMemory, watchSocket } from './liveness.ts'
import { wholeContent } from './media-out.ts'
import { caOf, webUrl } from './network.ts'
import { resentMessage } from './outbound.ts'
import { pictureEvents } from './pictures.ts'
import { openRetries } from './retries.ts'
import { type DeviceTimers, openTimers } from './timers.ts'

/** Callback of the server's ack of a message: null if accepted, else the error code. */
export type Ack = (code: string | null) => void

/** Open socket of the library, with its pending acks. */
export type DeviceSocket = {
  readonly socket: WASocket
  readonly groups: DeviceGroups
  readonly history: DeviceHistory
  readonly calls: DeviceCalls
  readonly timers: DeviceTimers
  readonly acks: Map<string, Ack>
  /** Albums whose parent message was sent. */
  readonly albums: Set<string>
  /** Conversations whose typing state is subscribed. */
  readonly watched: Set<string>
  /** Number of missing messages after the offline period (`followCatchUp`). */
  readonly missing: Promise<number | null>
  /** Code with which the socket closed. */
  readonly ended: Promise<number>
}

/** Methods that change keys; their changes are stored before anything is sent. */
const STEPS = [
  ...(['decryptMessage', 'decryptGroupMessage', 'encryptMessage', 'encryptGroupMessage'] as const),
  ...(['injectE2ESession', 'migrateSession', 'deleteSession', 'processSenderKeyDistributionMessage'] as const),
]

/** Error messages of the library for a message that was decrypted before and is stored already. */
const KNOWN = /Key used already|old counter/

/** Returns the encrypted parts of a message. */
const partsOf = ({ content }: BinaryNode): BinaryNode[] =>
  Array.isArray(content) ? content.filter(({ tag }) => tag === 'enc') : []

/** Whether these bytes are the last encrypted part, which has the content, also in a group. */
const isLast = (stanza: BinaryNode, ciphertext: Uint8Array): boolean => partsOf(stanza).at(-1)?.content === ciphertext

/** Slowest answers by connection id, across the sockets of this process. */
const memories = new Map<number, SocketMemory>()

function memoryOf({ connectionId }: Link['connection']): SocketMemory {
  const memory = memories.get(connectionId) ?? { slowest: null }
  memories.set(connectionId, memory)
  return memory
}

/** Whether an address is ignored: status posts and channels are no conversations. */
const isIgnored = (jid: string): boolean => jid === 'status@broadcast' || jid.endsWith('@newsletter')

/**
 * Opens a socket of the library with the device's keys. An incoming message is decrypted, then journaled and stored with the
 * keys changed by reading it in one commit, before the library acknowledges it. `dispatcher`: for its fetches; `since`: time
 * of the connection loss; `arrived`: called with a message before it is stored (the library reports it later, up to twenty
 * seconds after an opening).
 */
export function openSocket(
  library: Library,
  tools: Pick<ChannelTools, 'connect' | 'environment' | 'readFile'>,
  keys: DeviceKeys,
  link: Pick<Link, 'sent' | 'state' | 'connection'>,
  { dispatcher, since, arrived }: { dispatcher: Dispatcher; since: number | null; arrived(key: WAMessageKey): void },
): DeviceSocket {
  const { environment } = tools
  const url = webUrl(environment)
  const sockets: Duplex[] = []
  const connect: ChannelTools['connect'] = async (to) => {
    const opened = await tools.connect(to)
    sockets.push(opened)
    return opened
  }
  /** Stanzas by the bytes of their encrypted parts. */
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  const acks = new Map<string, Ack>()
  const catchUp = followCatchUp()
  const groups = openGroups(keys, link, () => socket)
  const own = (): Own => ({
    id: keys.creds.me?.id ?? '',
    lid: keys.creds.me?.lid ?? '',
    numberOf: (lid) => socket.signalRepository.lidMapping.getPNForLID(lid),
    subjectOf: groups.subjectOf,
    sent: (id) => link.sent(id),
    othersIn: (group) =>
      groups.metadataOf(group).then(
        ({ participants }) => participants.length - 1,
        () => null,
      ),
  })
  const calls = openCalls(own, () => socket)
  const timers = openTimers(library, { keys, link, own, groups })
  /** Returns a message of ours as sent, rebuilt from the stored one. */
  const sent = async (id: string) => {
    const message = await link.sent(id)
    if (!message) return undefined
    const lasts = await timers.secondsIn(message.conversationKey)
    const { message: addressed, about } = await groups.mentioning(message)
    const content = { ...(await wholeContent(library, tools, addressed)), ...about } as AnyMessageContent
    const how = { userJid: present(keys.creds.me).id, upload: socket.waUploadToServer, lasts }
    return resentMessage(library, message, content, how)
  }
  const retries = openRetries(library, { keys, sent, socket: () => socket })
  const history = openHistory(library, { keys, link, own, dispatcher, since, socket: () => socket })
  const readAs = async (stanza: BinaryNode, plain: Uint8Array) => {
    await history.announce(stanza, plain)
    void history.take(stanza, plain).catch(() => {})
    void timers.take(stanza, plain).catch(() => {})
    arrived(keyOf(library, stanza, own()))
    return eventsOf(library, stanza, plain, own())
  }
  /** Writes a placeholder for a message that could not be decrypted. */
  const wait = async (stanza: BinaryNode, ciphertext: Uint8Array) => {
    if (!isLast(stanza, ciphertext)) return
    const placeholder = await placeholderOf(library, stanza, own())
    if (placeholder.length > 0) await keys.write(placeholder)
  }

  const socket = library.makeWASocket({
    auth: { creds: keys.creds, keys: keys.store },
    waWebSocketUrl: url,
    agent: guardedAgent({ connect }, new URL(url).protocol === 'wss:'),
    fetchAgent: guardedAgent(tools, true, caOf(environment)),
    // The library's own fetches use the same dispatcher.
    options: { dispatcher } as never,
    logger: silent,
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    cachedGroupMetadata: (group) => groups.metadataOf(group),
    shouldIgnoreJid: isIgnored,
    makeSignalRepository(auth, logger, findLids) {
      const whole = library.DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
        { creds: auth.creds, keys: keys.signal },
        logger,
        findLids,
      )
      const stored: Record<string, unknown> = {}
      for (const name of STEPS) {
        const step = whole[name] as (about: object, ...more: unknown[]) => Promise<unknown>
        stored[name] = (about: { ciphertext?: Uint8Array; msg?: Uint8Array }, ...more: unknown[]) => {
          const stanza = stanzas.get(about.ciphertext ?? about.msg ?? (about as never))
          const read = stanza ? (plain: unknown) => readAs(stanza, plain as Uint8Array) : undefined
          const done = keys.inOneCommit(() => step(about, ...more), read)
          if (!stanza) return done
          const ciphertext = about.ciphertext ?? about.msg!
          return done.then(
            (result) => {
              if (isLast(stanza, ciphertext)) catchUp.read(stanza)
              return result
            },
            async (error) => {
              if (KNOWN.test(String(error))) catchUp.read(stanza)
              else await wait(stanza, ciphertext)
              throw error
            },
          )
        }
      }
      return { ...whole, ...stored }
    },
  })

  // Sees a node before the library processes it.
  const arrive = (stanza: BinaryNode) => {
    for (const { content } of partsOf(stanza)) if (content instanceof Uint8Array) stanzas.set(content, stanza)
    catchUp.take(stanza, isIgnored(stanza.attrs['from'] ?? ''))
    // Otherwise the library would process stored and live messages concurrently, in any order.
    stanza.attrs['offline'] ??= '0'
  }
  /** Readers of events that need no decryption; written first, because the library acknowledges every node that it sees. */
  const readers: Readonly<Record<string, (stanza: BinaryNode) => Promise<ProviderEvent[]>>> = {
    'CB:message': async (stanza) => {
      const events = await viewOnceOf(library, stanza, own())
      if (events.length > 0) arrived(keyOf(library, stanza, own()))
      return events
    },
    'CB:call': (stanza) => calls.eventsOf(stanza),
    'CB:receipt': (stanza) => receiptsOf(stanza, own()),
    'CB:notification': async (stanza) => [...groups.eventsOf(stanza), ...(await pictureEvents(stanza, own().numberOf))],
  }
  const show = socket.ws.emit.bind(socket.ws)
  socket.ws.emit = (name, ...about) => {
    // At once: the end of the stored messages is reported right after the last one.
    if (name === 'CB:message') arrive(about[0])
    if (name === 'CB:receipt' && retries.isOne(about[0])) {
      retries.take(about[0])
      return true
    }
    const read = readers[String(name)]
    if (!read) return show(name, ...about)
    const write = async () => {
      const events = await read(about[0])
      if (events.length > 0) await keys.write(events)
      show(name, ...about)
    }
    // Unwritten messages are not acknowledged, so they are delivered again.
    write().catch(() => {})
    return true
  }
  socket.ws.on('CB:ib,,offline_preview', (stanza: BinaryNode) => catchUp.announce(stanza))
  socket.ws.on('CB:ib,,offline', (stanza: BinaryNode) => catchUp.end(stanza))
  socket.ws.on('CB:success', (stanza: BinaryNode) => {
    groups.loggedIn(stanza)
    history.resume()
  })
  /** LID mappings that are not stored yet; a phone may send all its mappings at once. */
  const mapped: ProviderEvent[] = []
  socket.ev.on('lid-mapping.update', (mapping) => {
    const event = mappingOf(mapping)
    if (event && mapped.push(event) === 1) queueMicrotask(() => void keys.write(mapped.splice(0)).catch(() => {}))
  })
  socket.ev.on('messaging-history.set', ({ contacts }) => void groups.named(contacts).catch(() => {}))
  socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
    const [id, code] = [attrs['id'] ?? '', attrs['error'] ?? null]
    // The ack of the first send comes before those of its retries.
    const first = acks.get(id)
    if (first) first(code)
    else retries.acknowledged(id, code)
  })

  const ended = new Promise<number>((resolve) => {
    socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
      // An orderly close of a dead connection would take half a minute.
      if (connection === 'open')
        void ended.finally(
          watchSocket(socket, memoryOf(link.connection), () => {
            for (const one of sockets) one.destroy()
          }),
        )
      if (connection === 'close') resolve(statusOf(lastDisconnect?.error))
    })
  })
  socket.ev.on('creds.update', () => void keys.saveCreds().catch(() => {}))
  keys.onLost(() => void socket.end(undefined))
  return {
    socket,
    groups,
    history,
    calls,
    timers,
    acks,
    albums: new Set(),
    watched: new Set(),
    missing: catchUp.missing(),
    ended,
  }
}

/** Returns the status with which the library closes a socket; 0 without one. */
const statusOf = (error: unknown): number => Number(fieldIn(fieldIn(error, 'output'), 'statusCode') ?? 0)
