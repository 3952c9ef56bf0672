import { setTimeout as pause } from 'node:timers/promises'
import type { BinaryNode, proto, WASocket } from 'baileys'
import type { DeviceKeys } from './keys.ts'
import type { Library } from './library.ts'

/** Maximum number of retry requests for one message by one device while a socket is open; a phone sends five. */
const MOST_ANSWERS = 5
/** Number of attempts of an answer, time-out of its ack, and pause between attempts, in ms. */
const TRIES = 3
const ACK_MS = 20_000
const PAUSE_MS = 1000
/**
 * Time in which an unknown message may still become known, in ms: a process died while sending it, and another sends it
 * again.
 */
const UNKNOWN_MS = 60_000

type Given = {
  readonly keys: Pick<DeviceKeys, 'creds'>
  /** Returns a message of ours as it was sent; undefined if unknown. */
  readonly sent: (id: string) => Promise<proto.IMessage | undefined>
  readonly socket: () => WASocket
}

/**
 * Answers retry requests of devices that could not decrypt a message. The library would acknowledge a request whatever
 * happens; here it is acknowledged once the server has the answer. Until then the server stores it and delivers it again
 * after the next connection.
 */
export function openRetries(library: Library, { keys, sent, socket }: Given) {
  const { areJidsSameUser, extractE2ESessionFromRetryReceipt, getBinaryNodeChild, isJidGroup, jidDecode } = library
  const answers = new Map<string, number>()
  /** Answers without an ack by message id, in the order of sending, as an ack names the message alone. */
  const waiting = new Map<string, ((code: string | null) => void)[]>()
  let turn: Promise<unknown> = Promise.resolve()

  /** Returns the requesting device and the conversation of a message. */
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
    // The requesting device does not have the group's key either.
    if (isJidGroup(chat)) await authState.keys.set({ 'sender-key-memory': { [chat]: null } })
    const count = Number(getBinaryNodeChild(stanza, 'retry')?.attrs['count'] ?? 1)
    const isPhone = !jidDecode(asker)?.device
    await relayMessage(chat, message, {
      messageId: id,
      // As in the library: a message that a phone could not decrypt is sent to all devices again.
      ...(isPhone ? { useUserDevicesCache: false } : { participant: { jid: asker, count } }),
    })
  }

  /** Sends answers one after another; resolves once the server has acknowledged it. */
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
    /** Whether a stanza is a retry request. */
    isOne: ({ attrs }: BinaryNode) => attrs['type'] === 'retry',
    /** Answers a retry request; the device repeats one that cannot be answered. */
    take: (stanza: BinaryNode) => void answer(stanza).catch(() => {}),
    /** Takes the server's ack of an answer; `code` if it was refused. */
    acknowledged: (id: string, code: string | null) => waiting.get(id)?.shift()?.(code),
  }
}
