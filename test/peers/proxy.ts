import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { certificate, certificateKey } from '#features/lab/server/whatsapp/certificate.ts'

type Credentials = { readonly username: string; readonly password: string }

const addressOf = (bytes: Buffer): string =>
  bytes.length === 4
    ? bytes.join('.')
    : Array.from({ length: 8 }, (_, n) => bytes.readUInt16BE(2 * n).toString(16)).join(':')

/** Proxy that speaks SOCKS 5 and HTTP (CONNECT) on one port, and counts the forwarded bytes. */
export type ProxyPeer = Awaited<ReturnType<typeof startProxyPeer>>

/**
 * Starts a proxy; with `credentials` it requires them. `isSecure`: only over TLS, with the tests' certificate for
 * `localhost`. It connects to any requested host except those in `refused`.
 */
export async function startProxyPeer({ credentials, isSecure }: { credentials?: Credentials; isSecure?: true } = {}) {
  const asked: string[] = []
  const refused = new Set<string>()
  /** Local ports of its outgoing connections, from which targets recognise them. */
  const ports = new Set<number>()
  const sockets = new Set<Socket>()
  const bytes = { up: 0, down: 0 }
  let isSilent = false

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  /** Connects the client to `host:port`; returns null if that fails. */
  async function reach(client: Socket, host: string, port: number): Promise<Socket | null> {
    asked.push(`${host}:${port}`)
    if (refused.has(host)) return null
    const server = keep(connect({ host, port }))
    const isThere = await once(server, 'connect').then(
      () => true,
      () => false,
    )
    if (!isThere) return null
    ports.add(server.localPort!)
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    return server
  }

  function join(client: Socket, server: Socket) {
    client.on('data', (chunk) => {
      bytes.up += chunk.length
    })
    server.on('data', (chunk) => {
      bytes.down += chunk.length
    })
    client.pipe(server).pipe(client)
  }

  async function speakHttp(client: Socket, text: string) {
    const [, target = '', headers = ''] = /^CONNECT (\S+) HTTP\/1\.1\r\n([\s\S]*)$/.exec(text) ?? []
    const end = (status: string) => client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    if (!target) return end('405 Method Not Allowed')
    const given = /^proxy-authorization: basic (\S+)/im.exec(headers)?.[1]
    const wanted = credentials && `${credentials.username}:${credentials.password}`
    if (wanted && Buffer.from(given ?? '', 'base64').toString() !== wanted)
      return end('407 Proxy Authentication Required')
    const { hostname, port } = new URL(`http://${target}`)
    const server = await reach(client, hostname.replace(/^\[|\]$/g, ''), Number(port || 80))
    if (!server) return end('502 Bad Gateway')
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    join(client, server)
  }

  async function speakSocks(client: Socket, read: (count: number) => Promise<Buffer>) {
    const methods = [...(await read((await read(1))[0]!))]
    const method = credentials ? 2 : 0
    if (!methods.includes(method)) return client.end(Buffer.from([5, 0xff]))
    client.write(Buffer.from([5, method]))
    if (credentials) {
      const text = async () => (await read((await read(1))[0]!)).toString()
      await read(1)
      const isRight = (await text()) === credentials.username && (await text()) === credentials.password
      client.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return client.end()
    }
    const [, , , kind] = await read(4)
    const host = kind === 3 ? (await read((await read(1))[0]!)).toString() : addressOf(await read(kind === 1 ? 4 : 16))
    const server = await reach(client, host, (await read(2)).readUInt16BE())
    client.write(Buffer.from([5, server ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0]))
    if (!server) return client.end()
    join(client, server)
  }

  function take(client: Socket) {
    keep(client)
    if (isSilent) return
    let buffer = Buffer.alloc(0)
    let wake = () => {}
    const onData = (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk])
      wake()
    }
    client.on('data', onData)
    const until = async (isEnough: () => boolean) => {
      while (!isEnough()) await new Promise<void>((resolve) => (wake = resolve))
    }
    const read = async (count: number) => {
      await until(() => buffer.length >= count)
      const part = Buffer.from(buffer.subarray(0, count))
      buffer = buffer.subarray(count)
      return part
    }
    const talk = async () => {
      await until(() => buffer.length > 0)
      if (buffer[0] === 5) {
        await read(1)
        await speakSocks(client, read)
      } else {
        await until(() => buffer.includes('\r\n\r\n'))
        const head = (await read(buffer.indexOf('\r\n\r\n') + 4)).toString('latin1')
        await speakHttp(client, head)
      }
      client.off('data', onData)
    }
    talk().catch(() => client.destroy())
  }

  const options = { cert: certificate, key: certificateKey }
  const listener = isSecure ? createSecureServer(options, take) : createServer(take)
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }
  await listen(0)
  const { port } = listener.address() as AddressInfo
  const stop = () =>
    new Promise<void>((done) => {
      listener.close(() => done())
      for (const socket of sockets) socket.destroy()
    })

  return {
    host: '127.0.0.1',
    port,
    /** Requested targets (`host:port`), in order. */
    asked,
    /** Hosts that it refuses to connect to. */
    refused,
    ports,
    bytes,
    /** Accepts connections without a response from now on. */
    beSilent() {
      isSilent = true
    },
    /** Ends every connection and stops listening. */
    stop,
    /** Listens again, at the same address. */
    start: () => listen(port),
    close: stop,
  }
}
