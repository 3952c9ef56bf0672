import { setTimeout as pause } from 'node:timers/promises'
import type { BinaryNode, proto, WASocket } from 'baileys'
import type { DeviceKeys } from './keys.ts'
import type { Library } from './library.ts'

/** How often one device may ask for one message while a socket is open; a phone asks five times. */
const MOST_ANSWERS = 5
/** So often an answer is tried, so long its ack is waited for, and so long the pause between two tries. */
const TRIES = 3
const ACK_MS = 20_000
const PAUSE_MS = 1000
/** So long a message that nobody knows may still become known: it was sent by a process that died, and is sent again. */
const UNKNOWN_MS = 60_000

type Given = {
  readonly keys: Pick<DeviceKeys, 'creds'>
  /** A message of ours as it went out; undefined where nobody knows it. */
  readonly sent: (id: string) => Promise<proto.IMessage | undefined>
  readonly socket: () => WASocket
}

/**
 * Answers devices that could not read what was sent to them. The library acknowledges such a question whatever became of
 * it; here it is acknowledged when the server has the answer. Until then the server keeps it, and gives it again after
 * the next opening.
 */
export function openRetries(library: Library, { keys, sent, socket }: Given) {
  const { areJidsSameUser, extractE2ESessionFromRetryReceipt, getBinaryNodeChild, isJidGroup, jidDecode } = library
  const answers = new Map<string, number>()
  /** Whose answers of a message have no ack yet, as they were sent: an ack names the message alone, and they come in order. */
  const waiting = new Map<string, ((code: string | null) => void)[]>()
  let turn: Promise<unknown> = Promise.resolve()

  /** Who asks, and in which conversation the message stands. */
  function askedBy({ attrs }: BinaryNode) {
    const { from = '', participant, recipient } = attrs
    const asker = participant ?? from
    const { id, lid } = keys.creds.me ?? { id: '' }
    const isOwn = areJidsSameUser(asker, asker.endsWith('@lid') ? lid : id)
    return { asker, chat: isOwn && recipient && !isJidGroup(from) ? recipient : from }
  }

  async function find(chat: string, id: string): Promise<proto.IMessage | undefined> {
    const known = () => socket().messageRetryManager?.getRecentMessage(chat, id)?.message ?? sent(id)
    for (const end = Date.now() + UNKNOWN_MS; ; await pause(PAUSE_MS)) {
      const message = await known()
      if (message || Date.now() > end) return message ?? undefined
      if (!socket().ws.isOpen) throw new Error('closed')
    }
  }

  async function write(stanza: BinaryNode, chat: string, asker: string, message: proto.IMessage) {
    const { signalRepository, assertSessions, authState, relayMessage } = socket()
    const id = stanza.attrs['id'] ?? ''
    const session = extractE2ESessionFromRetryReceipt(stanza)
    if (session) await signalRepository.injectE2ESession({ jid: asker, session })
    else await assertSessions([asker], true)
    // Whoever asks has not the key of the group either.
    if (isJidGroup(chat)) await authState.keys.set({ 'sender-key-memory': { [chat]: null } })
    const count = Number(getBinaryNodeChild(stanza, 'retry')?.attrs['count'] ?? 1)
    const isPhone = !jidDecode(asker)?.device
    await relayMessage(chat, message, {
      messageId: id,
      // As the library does: what a phone could not read is sent to all devices anew.
      ...(isPhone ? { useUserDevicesCache: false } : { participant: { jid: asker, count } }),
    })
  }

  /** The same, one after the other; returns when the server has it. */
  async function send(stanza: BinaryNode, chat: string, asker: string, message: proto.IMessage) {
    const id = stanza.attrs['id'] ?? ''
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const forget = () => {
      const others = waiting.get(id)?.filter((other) => other !== resolve) ?? []
      if (others.length > 0) waiting.set(id, others)
      else waiting.delete(id)
    }
    const lost = new AbortController()
    const written = turn.then(() => {
      waiting.set(id, [...(waiting.get(id) ?? []), resolve])
      return write(stanza, chat, asker, message)
    })
    turn = written.catch(() => {})
    try {
      await written
      const late = pause(ACK_MS, undefined, { signal: lost.signal }).then(() => {
        throw new Error('no ack')
      })
      const code = await Promise.race([promise, late])
      if (code) throw new Error(`refused with ${code}`)
    } finally {
      lost.abort()
      forget()
    }
  }

  async function answer(stanza: BinaryNode) {
    const { asker, chat } = askedBy(stanza)
    const id = stanza.attrs['id'] ?? ''
    const name = `${id} ${asker}`
    const count = (answers.get(name) ?? 0) + 1
    answers.set(name, count)
    const message = count > MOST_ANSWERS ? undefined : await find(chat, id)
    for (let n = 1; message; n++) {
      const error = await send(stanza, chat, asker, message).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (!error) break
      if (n === TRIES || !socket().ws.isOpen) throw error.error
      await pause(PAUSE_MS)
    }
    await socket().sendMessageAck(stanza)
  }

  return {
    /** Whether somebody asks for a message anew. */
    isOne: ({ attrs }: BinaryNode) => attrs['type'] === 'retry',
    /** Answers; what cannot be answered now is asked again. */
    take: (stanza: BinaryNode) => void answer(stanza).catch(() => {}),
    /** The server has an answer; `code`: it refused it. */
    acknowledged: (id: string, code: string | null) => waiting.get(id)?.shift()?.(code),
  }
}
