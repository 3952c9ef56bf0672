import type { BinaryNode, WASocket } from 'baileys'
import type { ChannelTools, Link } from '../port.ts'
import { eventsOf, type Own, placeholderOf, receiptsOf } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'
import { type Library, silent } from './library.ts'
import { wholeContent } from './media-out.ts'
import { caOf, guardedAgent } from './network.ts'
import { resentMessage } from './outbound.ts'

/** What the server said of a message: null where it has it, else the code of its refusal. */
export type Ack = (code: string | null) => void

/** An open socket of the library, with what waits for its server's word. */
export type DeviceSocket = {
  readonly socket: WASocket
  readonly acks: Map<string, Ack>
  /** The code by which it ended. */
  readonly ended: Promise<number>
}

const WEB = 'wss://web.whatsapp.com/ws/chat'

/** The calls that step keys: each is stored before anything of it leaves. */
const STEPS = [
  ...(['decryptMessage', 'decryptGroupMessage', 'encryptMessage', 'encryptGroupMessage'] as const),
  ...(['injectE2ESession', 'migrateSession', 'deleteSession', 'processSenderKeyDistributionMessage'] as const),
]

/** What the library's code says of a message that was read before: its key is used up. */
const KNOWN = /Key used already|old counter/

/** The encrypted parts of a message. */
const partsOf = ({ content }: BinaryNode): BinaryNode[] =>
  Array.isArray(content) ? content.filter(({ tag }) => tag === 'enc') : []

/**
 * Opens a socket of the library by the device's keys. A message that comes in is read, taken into the journal and stored
 * with the keys that reading it has stepped, in one commit, before the library acknowledges it.
 */
export function openSocket(
  library: Library,
  tools: Pick<ChannelTools, 'connect' | 'environment' | 'readFile'>,
  keys: DeviceKeys,
  link: Pick<Link, 'sent'>,
): DeviceSocket {
  const { connect, environment } = tools
  const url = environment['WHATSAPP_WEB_URL'] ?? WEB
  /** The stanza of what is being decrypted, by its bytes. */
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  const acks = new Map<string, Ack>()
  const own = (): Own => ({
    id: keys.creds.me?.id ?? '',
    lid: keys.creds.me?.lid ?? '',
    numberOf: (lid) => socket.signalRepository.lidMapping.getPNForLID(lid),
    subjectOf: () => undefined,
  })
  /** Stands in for a message that could not be read; one that was read before is there already. */
  const wait = async (stanza: BinaryNode, ciphertext: Uint8Array, error: unknown) => {
    // Of a message in a group its last part is what was said.
    const last = partsOf(stanza).at(-1)
    if (last?.content !== ciphertext || KNOWN.test(String(error))) return
    const placeholder = await placeholderOf(library, stanza, own())
    if (placeholder.length > 0) await keys.write(placeholder)
  }

  const socket = library.makeWASocket({
    auth: { creds: keys.creds, keys: keys.store },
    waWebSocketUrl: url,
    agent: guardedAgent({ connect }, new URL(url).protocol === 'wss:'),
    fetchAgent: guardedAgent({ connect }, true, caOf(environment)),
    logger: silent,
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    async getMessage({ id }) {
      const sent = id ? await link.sent(id) : null
      if (!sent) return undefined
      const how = { userJid: keys.creds.me!.id, upload: socket.waUploadToServer }
      const made = wholeContent(library, tools, sent).then((content) => resentMessage(library, sent, content, how))
      return made.catch(() => undefined)
    },
    shouldIgnoreJid: (jid) => jid === 'status@broadcast' || jid.endsWith('@newsletter'),
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
          const read = stanza ? (plain: unknown) => eventsOf(library, stanza, plain as Uint8Array, own()) : undefined
          const done = keys.inOneCommit(() => step(about, ...more), read)
          if (!stanza) return done
          return done.catch(async (error) => {
            await wait(stanza, about.ciphertext ?? about.msg!, error)
            throw error
          })
        }
      }
      return { ...whole, ...stored }
    },
  })

  // These see a node before the library has begun to work on it.
  socket.ws.on('CB:message', (stanza: BinaryNode) => {
    for (const { content } of partsOf(stanza)) if (content instanceof Uint8Array) stanzas.set(content, stanza)
  })
  socket.ws.on('CB:receipt', (stanza: BinaryNode) => {
    receiptsOf(stanza, own())
      .then((events) => (events.length > 0 ? keys.write(events) : undefined))
      .catch(() => {})
  })
  socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => acks.get(attrs['id']!)?.(attrs['error'] ?? null))

  const ended = new Promise<number>((resolve) => {
    socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
      const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
      if (connection === 'close') resolve(error?.output?.statusCode ?? 0)
    })
  })
  socket.ev.on('creds.update', () => void keys.saveCreds().catch(() => {}))
  keys.onLost(() => void socket.end(undefined))
  return { socket, acks, ended }
}
