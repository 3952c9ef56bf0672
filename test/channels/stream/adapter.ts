import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import {
  type Link,
  type MakeChannelAdapter,
  needsPerson,
  type ProviderEvent,
  sendFailure,
} from '#providers/channels/port.ts'
import type { StreamFrame } from '#test/peers/stream-server.ts'
import { nextKey, unlock } from './cipher.ts'

/**
 * Adapter with one TCP connection and one JSON text per line; its key changes with each message, so that a lost one loses
 * the following messages.
 */
export const streamAdapter: MakeChannelAdapter = (values, { connect }) => {
  let socket: Duplex | null = null
  const answers = new Map<string, { resolve(): void; reject(error: Error): void }>()
  const questions = new Map<string, (answer: unknown) => void>()
  const write = (frame: object) => socket?.write(`${JSON.stringify(frame)}\n`)

  async function take(link: Link, frame: StreamFrame, memory: { key: Uint8Array; cursor: number }) {
    if (frame.type === 'refused') throw needsPerson('a conta recusou o token')
    if (frame.type === 'loggedOut') throw needsPerson('o aparelho foi desligado', 'unlinked')
    if (frame.type === 'ask') questions.get(frame.id)?.(frame.answer)
    if (frame.type === 'status') await link.status(frame.status, frame.about)
    if (frame.type === 'sent') answers.get(frame.id)?.resolve()
    if (frame.type === 'key') {
      memory.key = Buffer.from(frame.key, 'base64')
      memory.cursor = frame.after
      await link.emit(
        [],
        new Map<string, Uint8Array | number>([
          ['key', memory.key],
          ['cursor', frame.after],
        ]),
      )
      write({ type: 'ack', seq: 0 })
    }
    if (frame.type !== 'message') return
    if (frame.seq > memory.cursor) {
      if (frame.seq > memory.cursor + 1) throw new Error('a message is missing')
      const event = eventOf(JSON.parse(unlock(memory.key, frame.data)), frame)
      memory.key = nextKey(memory.key)
      memory.cursor = frame.seq
      await link.emit(
        [event],
        new Map<string, Uint8Array | number>([
          ['key', memory.key],
          ['cursor', memory.cursor],
        ]),
      )
    }
    write({ type: 'ack', seq: frame.seq })
  }

  return {
    async open(link) {
      const stored = await link.state.get(['key', 'cursor'])
      const memory = {
        key: (stored.get('key') as Uint8Array) ?? Buffer.alloc(0),
        cursor: Number(stored.get('cursor') ?? 0),
      }
      socket = await connect({ host: '127.0.0.1', port: Number(values['port']), tls: false })
      const lines = createInterface({ input: socket })
      const lost = new Promise<never>((_, reject) => socket!.once('close', () => reject(new Error('the stream ended'))))
      lost.catch(() => lines.close())
      write({
        type: 'hello',
        account: values['account'],
        token: values['token'],
        worker: process.env['WORKER'],
        pairing: link.pairing,
        isNew: !stored.has('key'),
      })
      const reading = (async () => {
        for await (const line of lines) await take(link, JSON.parse(line) as StreamFrame, memory)
      })()
      await Promise.race([reading, lost])
    },
    async close() {
      if (values['isStubborn']) return new Promise<never>(() => {})
      write({ type: 'bye' })
      socket?.end()
    },
    async logout() {
      write({ type: 'logout' })
    },
    async ask(question, about) {
      const id = randomUUID()
      const answered = new Promise((resolve) => questions.set(id, resolve))
      write({ type: 'ask', id, question, about })
      const answer = await answered
      return (question === 'picture' ? Buffer.from(String(answer), 'base64') : answer) as never
    },
    async send({ messageId, conversationKey, body }) {
      if (!socket?.writable) throw sendFailure('unreachable', 'a correnteza está parada')
      const answered = new Promise<void>((resolve, reject) => answers.set(messageId, { resolve, reject }))
      write({ type: 'send', id: messageId, to: conversationKey, text: body })
      await answered.finally(() => answers.delete(messageId))
      return { providerId: messageId }
    },
    async act(action) {
      write({ type: 'act', about: action.type, to: 'conversationKey' in action ? action.conversationKey : '' })
    },
  }
}

const eventOf = (
  { from, text }: { from: string; text: string },
  { seq, delivery }: { seq: number; delivery: number },
): ProviderEvent => ({
  type: 'message',
  // A different key for each delivery: a message received twice would be in the journal twice.
  dedupeKey: `${seq}/${delivery}`,
  conversationKey: from,
  sender: { identity: from, name: `Remador ${from}`, number: from },
  message: { providerId: `onda-${seq}`, timestamp: 1_760_000_000_000 + seq * 1000, type: 'text', body: text },
})
