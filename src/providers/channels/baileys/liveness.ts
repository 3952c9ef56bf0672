import type { WASocket } from 'baileys'

/** Silence after which the connection is pinged, in ms. */
const SILENCE_MS = 2500
/** Time-out of a ping in ms: longer on a slow connection, and for the first ping, which measures it. */
const ANSWER_MS = { least: 2200, first: 10_000, most: 30_000 } as const
/** Factor of the slowest recent answer in the time-out. */
const PATIENCE = 3
/** Share of the slowest answer that is kept with each new one. */
const MEMORY = 0.9
/** Delay of a timer that shows that this process was blocked, not the connection, in ms. */
const LATE_MS = 500

/** Parts of a socket that show whether it is alive. */
export type WatchedSocket = {
  readonly ws: Pick<WASocket['ws'], 'on' | 'off'>
  readonly sendNode: WASocket['sendNode']
  readonly generateMessageTag: WASocket['generateMessageTag']
}

/** Slowest recent answer of a connection in ms, across its sockets; null before the first. */
export type SocketMemory = { slowest: number | null }

/**
 * Detects within five seconds that a socket is dead though not closed, and calls `onLost` once (decision 0120). Any incoming
 * data is a sign of life; only a silent socket is pinged. After such a loss the time-out grows. Returns a function that
 * stops.
 */
export function watchSocket(
  { ws, sendNode, generateMessageTag }: WatchedSocket,
  memory: SocketMemory,
  onLost: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let askedAt: number | null = null

  const patience = () =>
    memory.slowest === null
      ? ANSWER_MS.first
      : Math.min(Math.max(ANSWER_MS.least, PATIENCE * memory.slowest), ANSWER_MS.most)
  function wait() {
    const ms = patience()
    const due = performance.now() + ms
    timer = setTimeout(() => {
      if (performance.now() - due > LATE_MS) return wait()
      // Data received meanwhile is read first.
      setImmediate(() => {
        if (isOver || askedAt === null) return
        stop()
        memory.slowest = Math.max(memory.slowest ?? 0, ms)
        onLost()
      })
    }, ms)
  }
  function ask() {
    askedAt = performance.now()
    const attrs = { id: generateMessageTag(), to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' }
    // A ping that cannot be written gets no answer.
    sendNode({ tag: 'iq', attrs, content: [{ tag: 'ping', attrs: {} }] }).catch(() => {})
    wait()
  }
  function receive() {
    clearTimeout(timer)
    if (askedAt !== null) memory.slowest = Math.max(performance.now() - askedAt, MEMORY * (memory.slowest ?? 0))
    askedAt = null
    timer = setTimeout(ask, SILENCE_MS)
  }
  function stop() {
    isOver = true
    clearTimeout(timer)
    ws.off('message', receive)
  }
  ws.on('message', receive)
  ask()
  return stop
}
