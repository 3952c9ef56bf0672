import { createServer, type Socket } from 'node:net'

const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const text = (value: string): Buffer => Buffer.from(`${value}\0`)
const numbers = (size: 2 | 4, ...values: number[]): Buffer => {
  const made = Buffer.alloc(size * values.length)
  values.forEach((value, i) => {
    made.writeIntBE(value, i * size, size)
  })
  return made
}

/** Accepts every login and answers each simple query with one row of one column: the version number. */
function answerAs(version: string, socket: Socket): void {
  const ready = message('Z', Buffer.from('I'))
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', numbers(4, 0)), ready]))
    socket.on('data', (data: Buffer) => {
      if (data[0] === 'X'.charCodeAt(0)) return socket.end()
      const column = [text('server_version_num'), numbers(4, 0), numbers(2, 0), numbers(4, 25), numbers(2, -1)]
      socket.write(
        Buffer.concat([
          message('T', numbers(2, 1), ...column, numbers(4, -1), numbers(2, 0)),
          message('D', numbers(2, 1), numbers(4, version.length), Buffer.from(version)),
          message('C', text('SHOW')),
          ready,
        ]),
      )
    })
  })
}

/**
 * Starts a stand-in for a database server on a free port of this machine: an old version, one that accepts connections and
 * stays silent, or a server of another kind. Returns its port and a function to close it.
 */
export async function startDatabasePeer(
  kind: { version: string } | 'silent' | 'other',
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (kind === 'other') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    else if (kind !== 'silent') answerAs(kind.version, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
