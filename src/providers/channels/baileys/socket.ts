import type { BinaryNode, WASocket } from 'baileys'
import type { ChannelTools } from '../port.ts'
import { eventsOf, type Own, receiptsOf } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'
import { type Library, silent } from './library.ts'
import { caOf, guardedAgent } from './network.ts'

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

/**
 * Opens a socket of the library by the device's keys. A message that comes in is read, taken into the journal and stored
 * with the keys that reading it has stepped, in one commit, before the library acknowledges it.
 */
export function openSocket(
  library: Library,
  { connect, environment }: Pick<ChannelTools, 'connect' | 'environment'>,
  keys: DeviceKeys,
): DeviceSocket {
  const url = environment['WHATSAPP_WEB_URL'] ?? WEB
  /** The stanza of what is being decrypted, by its bytes. */
  const stanzas = new WeakMap<Uint8Array, BinaryNode>()
  const acks = new Map<string, Ack>()
  const own = (): Own => ({
    id: keys.creds.me?.id ?? '',
    lid: keys.creds.me?.lid ?? '',
    numberOf: (lid) => socket.signalRepository.lidMapping.getPNForLID(lid),
  })

  const socket = library.makeWASocket({
    auth: { creds: keys.creds, keys: keys.store },
    waWebSocketUrl: url,
    agent: guardedAgent({ connect }, new URL(url).protocol === 'wss:'),
    fetchAgent: guardedAgent({ connect }, true, caOf(environment)),
    logger: silent,
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
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
          return keys.inOneCommit(() => step(about, ...more), read)
        }
      }
      return { ...whole, ...stored }
    },
  })

  // These see a node before the library has begun to work on it.
  socket.ws.on('CB:message', (stanza: BinaryNode) => {
    for (const { tag, content } of Array.isArray(stanza.content) ? stanza.content : [])
      if (tag === 'enc' && content instanceof Uint8Array) stanzas.set(content, stanza)
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
