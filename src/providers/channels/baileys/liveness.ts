import type { WASocket } from 'baileys'

/** So long nothing comes in before the line is asked for a sign of life. */
const SILENCE_MS = 2500
/** So long the answer may take: longer on a line that has been slow, and for the first, which shows how slow it is. */
const ANSWER_MS = { least: 2200, first: 10_000, most: 30_000 } as const
/** So many times the slowest answer of late. */
const PATIENCE = 3
/** How much of a slow answer is remembered from one to the next. */
const MEMORY = 0.9
/** Whoever looks so much too late was held up itself, and knows nothing of the line. */
const LATE_MS = 500

/** The parts of a socket that show whether its line is there. */
export type WatchedSocket = {
  readonly ws: Pick<WASocket['ws'], 'on' | 'off'>
  readonly sendNode: WASocket['sendNode']
  readonly generateMessageTag: WASocket['generateMessageTag']
}

/** How slow a connection has been, from one of its lines to the next: the slowest answer of late in ms, null before the first. */
export type SocketMemory = { slowest: number | null }

/**
 * Finds within five seconds that a line carries nothing any more, though nobody has closed it, and says so once (decision
 * 0120). Whatever comes in is a sign of life; only a silent line is asked. One that was lost so is believed more the next
 * time. Answers how to stop.
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
      // What has come in meanwhile is read first.
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
    // One that cannot be written is not answered.
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
