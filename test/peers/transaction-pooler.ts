import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A pooler of a test. */
export type TransactionPooler = {
  /** The address of a server, by way of the pooler. */
  through(url: string): string
  close(): Promise<void>
}

type Client = { socket: Socket; key: string; server: Server | null; isLoggedIn: boolean }
type Server = { socket: Socket; client: Client | null }
type Pool = { free: Server[]; waiting: ((server: Server) => void)[]; size: number }

const SSL_REQUEST = 80_877_103

/**
 * Starts a pooler that behaves as PgBouncer in transaction mode, in front of the PostgreSQL of an address. A client logs in
 * through a new connection, which all clients of the same role and database then share: each transaction gets the most
 * recently used one (with `takesTurns` the least recently used) until ReadyForQuery ends it. `size` is the number of pooled
 * connections.
 */
export async function startTransactionPooler(
  target: string,
  { size = 10, takesTurns = false } = {},
): Promise<TransactionPooler> {
  const { hostname, port } = new URL(target)
  const pools = new Map<string, Pool>()
  const open = new Set<Socket>()

  const poolOf = (key: string): Pool => {
    const pool = pools.get(key) ?? { free: [], waiting: [], size: 0 }
    pools.set(key, pool)
    return pool
  }
  const give = (key: string, server: Server) => {
    const pool = poolOf(key)
    const next = pool.waiting.shift()
    if (next) next(server)
    else pool.free.push(server)
  }
  const take = (key: string): Promise<Server> => {
    const pool = poolOf(key)
    const server = takesTurns ? pool.free.shift() : pool.free.pop()
    return server ? Promise.resolve(server) : new Promise((resolve) => pool.waiting.push(resolve))
  }

  function logIn(client: Client, startup: Buffer): Server {
    const socket = connect({ host: hostname, port: Number(port) })
    const server: Server = { socket, client }
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => server.client?.socket.destroy())
    socket.write(startup)
    socket.on(
      'data',
      messages((message) => {
        const { client: owner } = server
        owner?.socket.write(message)
        const isReady = message[0] === 0x5a
        if (!isReady || message[5] !== 0x49 || !owner) return
        owner.server = null
        server.client = null
        if (owner.isLoggedIn) return give(owner.key, server)
        owner.isLoggedIn = true
        const pool = poolOf(owner.key)
        if (pool.size === size) return void socket.end()
        pool.size++
        give(owner.key, server)
      }),
    )
    return server
  }

  function serve(socket: Socket) {
    open.add(socket)
    const client: Client = { socket, key: '', server: null, isLoggedIn: false }
    let turn: Promise<void> = Promise.resolve()
    const forward = async (message: Buffer) => {
      if (message[0] === 0x58) return void socket.end()
      if (!client.server) {
        client.server = await take(client.key)
        client.server.client = client
      }
      client.server.socket.write(message)
    }
    const read = messages((message) => {
      turn = turn.then(() => forward(message))
    })
    socket.on('error', () => {})
    socket.on('close', () => client.server?.socket.destroy())
    socket.on('data', (chunk) => {
      if (client.key) return read(chunk)
      if (chunk.readUInt32BE(4) === SSL_REQUEST) return void socket.write('N')
      client.key = /user\0([^\0]*)\0.*database\0([^\0]*)\0/s.exec(chunk.toString('latin1'))!.slice(1).join('@')
      client.server = logIn(client, chunk)
    })
  }

  const listener = createServer(serve)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    through(url) {
      const made = new URL(url)
      made.searchParams.delete('host')
      made.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
      return made.href
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** Cuts a stream into the protocol's messages: a letter, and a length that counts itself. */
function messages(hear: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const length = rest.readUInt32BE(1) + 1
      hear(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
