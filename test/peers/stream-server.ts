import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { lock, nextKey } from '#test/channels/stream/cipher.ts'

/** Frame of the server, one JSON text per line. */
export type StreamFrame =
  | { type: 'refused' }
  | {
      type: 'status'
      status: 'qrcode' | 'PAIRING' | 'CONNECTED'
      about?: { qrcode?: string; seconds?: number; number?: string }
    }
  | { type: 'key'; key: string; after: number }
  | { type: 'ask'; id: string; answer: unknown }
  | { type: 'loggedOut' }
  | { type: 'message'; seq: number; delivery: number; data: string }
  | { type: 'sent'; id: string }

/** Number that the far end does not reach. */
export const NOBODY = '5511900000000'

type Session = { account: string; worker: string; socket: Socket; since: number; isReplaced: boolean; isOver: boolean }
type Account = {
  token: string
  key: Uint8Array
  given: boolean
  next: number
  waiting: { seq: number; delivery: number; data: string }[]
  session: Session | null
  silent: boolean
  linked: boolean
  answers: boolean
}

/** A message that was handed over, once by its id. */
export type StreamSent = { id: string; account: string; to: string; text: string; worker: string }

/**
 * Starts the far end of the channel `stream`: stores and forwards until acknowledged, gives the first key until it is
 * acknowledged, and has one session per account. A replaced session's connection stays open, so that only the product itself
 * can stop using it: frames that still arrive on it are in `late`.
 */
export async function startStreamServer() {
  const accounts = new Map<string, Account>()
  const sessions: Session[] = []
  const sent: StreamSent[] = []
  const late: { worker: string; frame: { type: string } }[] = []
  const logouts: string[] = []
  const asked: { account: string; question: string; worker: string }[] = []
  const acts: { account: string; about: string; to: string }[] = []

  const accountOf = (name: string): Account => {
    const known = accounts.get(name)
    if (known) return known
    const key = randomBytes(32)
    const made: Account = {
      token: 'segredo',
      key,
      given: false,
      next: 1,
      waiting: [],
      session: null,
      silent: false,
      linked: true,
      answers: true,
    }
    first.set(name, key)
    accounts.set(name, made)
    return made
  }
  const first = new Map<string, Uint8Array>()
  const say = (session: Session | null, frame: StreamFrame) => session?.socket.write(`${JSON.stringify(frame)}\n`)
  const deliver = (account: Account) => {
    for (const message of account.waiting) {
      message.delivery++
      say(account.session, { type: 'message', ...message })
    }
  }

  function take(session: Session, frame: Record<string, unknown> & { type: string }) {
    const account = accountOf(session.account)
    if (frame.type === 'bye') session.isOver = true
    else if (session.isReplaced) return void late.push({ worker: session.worker, frame })
    if (frame.type === 'act')
      acts.push({ account: session.account, about: String(frame['about']), to: String(frame['to']) })
    if (frame.type === 'ack') {
      const seq = Number(frame['seq'])
      if (seq === 0) {
        account.given = true
        deliver(account)
      }
      account.waiting = account.waiting.filter((message) => message.seq > seq)
    }
    if (frame.type === 'logout') logouts.push(session.account)
    if (frame.type === 'ask' && account.answers) {
      const { id, question, about } = frame as unknown as { id: string; question: string; about: { number?: string } }
      asked.push({ account: session.account, question, worker: session.worker })
      const answer = question === 'picture' ? 'aW1hZ2Vt' : about.number === NOBODY ? null : { identity: about.number }
      say(session, { type: 'ask', id, answer })
    }
    if (frame.type === 'send') {
      const { id, to, text } = frame as unknown as StreamSent
      if (!sent.some((one) => one.id === id))
        sent.push({ id, to, text, account: session.account, worker: session.worker })
      if (account.answers) say(session, { type: 'sent', id })
    }
  }

  const server = createServer((socket) => {
    let session: Session | null = null
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!session) return
      session.isOver = true
      const account = accountOf(session.account)
      if (account.session === session) account.session = null
    })
    const lines = createInterface({ input: socket })
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const frame = JSON.parse(line) as Record<string, string> & { type: string }
      if (session) return take(session, frame)
      const account = accountOf(String(frame['account']))
      if (frame['token'] !== account.token) return void socket.write(`${JSON.stringify({ type: 'refused' })}\n`)
      const before = account.session
      if (before) before.isReplaced = true
      session = {
        account: frame['account']!,
        worker: frame['worker'] ?? '',
        socket,
        since: Date.now(),
        isReplaced: false,
        isOver: false,
      }
      account.session = session
      sessions.push(session)
      if (account.silent) return
      if (!account.linked) return void say(session, { type: 'status', status: 'qrcode', about: { qrcode: 'codigo-1' } })
      say(session, { type: 'status', status: 'CONNECTED', about: { number: `55${frame['account']}` } })
      // Linked again: earlier messages are for the device that was unlinked.
      if (frame['isNew'] && account.given) {
        account.given = false
        account.waiting = []
        first.set(frame['account']!, account.key)
      }
      const after = account.next - 1 - account.waiting.length
      if (!account.given)
        say(session, { type: 'key', key: Buffer.from(first.get(frame['account']!)!).toString('base64'), after })
      else deliver(account)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  return {
    port: (server.address() as AddressInfo).port,
    sessions,
    sent,
    late,
    acts,
    /** Accounts whose device the product unlinked; `asked` are the requests to them. */
    logouts,
    asked,
    /** Writes a contact's message to an account; delivered now, and again at each login until it is acknowledged. */
    write(name: string, from: string, text: string) {
      const account = accountOf(name)
      const message = { seq: account.next++, delivery: 0, data: lock(account.key, JSON.stringify({ from, text })) }
      account.key = nextKey(account.key)
      account.waiting.push(message)
      if (!account.session || !account.given || account.silent) return
      message.delivery++
      say(account.session, { type: 'message', ...message })
    },
    /** Returns the number of unacknowledged messages of an account. */
    waiting: (name: string): number => accountOf(name).waiting.length,
    /** Returns the account's session while its connection is open. */
    session: (name: string): Session | null => accountOf(name).session,
    /** Sends a frame to the logged-in session. */
    say: (name: string, frame: StreamFrame) => say(accountOf(name).session, frame),
    /** Changes an account: whether it sends, is linked and acknowledges sends; and its token. */
    set: (name: string, about: Partial<Pick<Account, 'silent' | 'linked' | 'token' | 'answers'>>) =>
      void Object.assign(accountOf(name), about),
    /** Cuts the connection of an account. */
    cut: (name: string) => accountOf(name).session?.socket.destroy(),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => void server.close(() => done()))
    },
  }
}
