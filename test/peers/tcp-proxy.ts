import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy between the product and a server of a test; `which` limits to connections that begin with a packet that contains this text (PostgreSQL names its role, database and application there). */
export type TcpProxy = {
  port: number
  /** The address of a server, by way of the proxy. */
  through(url: string): string
  /** Stops forwarding in both directions: connections stay open and new ones are accepted, without responses. */
  freeze(which?: string): void
  /** Ends every connection at once; new ones are served. */
  cut(which?: string): void
  /** Ends every connection and refuses new ones. */
  stop(): void
  /** Accepts requests of clients, and closes the connection instead of responding. */
  loseAnswers(): void
  /** Delays all forwarding by `ms`. */
  delay(ms: number): void
  /** Resumes forwarding without delay, beginning with the held data. */
  resume(): void
  /** Forwards new connections to another URL, as a restarted server may listen elsewhere. */
  retarget(url: string): void
  /** Number of open connections. */
  connections(which?: string): number
  close(): Promise<void>
}

type Pair = { client: Socket; server: Socket; opening: string; kept: (() => void)[]; late: (() => void)[] }

/** Starts a proxy to the server of an address (`postgres://host:port/…`) on a free port of this machine. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let to = new URL(target)
  const pairs = new Set<Pair>()
  let frozen: string | null = null
  let isStopped = false
  let areAnswersLost = false
  let delayMs = 0

  const forward = (pair: Pair, act: () => void) => {
    if (frozen !== null && pair.opening.includes(frozen)) pair.kept.push(act)
    else if (delayMs > 0 || pair.late.length > 0) {
      // Keeps the order of data, also when the delay ends in between.
      pair.late.push(act)
      setTimeout(() => pair.late.shift()?.(), delayMs)
    } else act()
  }
  const connectSockets = (pair: Pair, from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      if (from === pair.client) pair.opening ||= chunk.toString('latin1')
      else if (areAnswersLost) return void pair.client.destroy()
      forward(pair, () => to.write(chunk))
    })
    from.on('error', () => {})
    from.on('close', () => {
      forward(pair, () => to.end())
      if (pair.client.destroyed && pair.server.destroyed) pairs.delete(pair)
    })
  }
  const end = (which: string) => {
    for (const { client, server, opening } of pairs) {
      if (!opening.includes(which)) continue
      client.destroy()
      server.destroy()
    }
  }

  const listener = createServer((client) => {
    if (isStopped) return void client.resetAndDestroy()
    const server = connect({ host: to.hostname, port: Number(to.port) })
    const pair: Pair = { client, server, opening: '', kept: [], late: [] }
    pairs.add(pair)
    connectSockets(pair, client, server)
    connectSockets(pair, server, client)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const own = (listener.address() as AddressInfo).port

  return {
    port: own,
    through(url) {
      const made = new URL(url)
      made.searchParams.delete('host')
      made.host = `127.0.0.1:${own}`
      return made.href
    },
    freeze(which = '') {
      frozen = which
    },
    cut: (which = '') => end(which),
    stop() {
      isStopped = true
      end('')
    },
    loseAnswers() {
      areAnswersLost = true
    },
    delay(ms) {
      delayMs = ms
    },
    resume() {
      frozen = null
      isStopped = false
      areAnswersLost = false
      delayMs = 0
      for (const { kept, late } of pairs) for (const act of [...late.splice(0), ...kept.splice(0)]) act()
    },
    retarget(url) {
      to = new URL(url)
    },
    connections: (which = '') => [...pairs].filter(({ opening }) => opening.includes(which)).length,
    async close() {
      isStopped = true
      end('')
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
