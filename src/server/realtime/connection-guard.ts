import type { Server } from 'socket.io'

/**
 * Maximum number of bytes buffered for one slow browser; beyond it the browser is dropped and has to ask for what it missed
 * (decision B25).
 */
const MOST_WAITING = 1024 * 1024
/** Limits of what a browser may send in a window of time; a call sends most: 25 frames of sound a second in two packets. */
const WINDOW_MS = 10_000
const MOST_PACKETS = 700
const MOST_BYTES = 1024 * 1024

type Packet = { data?: string | Buffer }

/** Connection of the engine below all namespaces; the bytes buffered in it, and in the websocket, are missing in its types. */
type Connection = {
  transport: { socket?: { bufferedAmount?: number; terminate?(): void } }
  close(discard: boolean): void
  on(event: 'packet' | 'packetCreate', listener: (packet: Packet) => void): void
  on(event: 'flush', listener: () => void): void
}

/** Drops connections whose other end does not read, or sends too much; logged in or not, in every namespace. */
export function guardConnections(io: Server): void {
  io.engine.on('connection', (connection: Connection) => {
    const cut = () => {
      connection.close(true)
      connection.transport.socket?.terminate?.()
    }
    let waiting = 0
    connection.on('packetCreate', ({ data }) => {
      waiting += data?.length ?? 0
      if (waiting + (connection.transport.socket?.bufferedAmount ?? 0) > MOST_WAITING) cut()
    })
    connection.on('flush', () => {
      waiting = 0
    })
    let window = { endsAt: 0, packets: 0, bytes: 0 }
    connection.on('packet', ({ data }) => {
      const now = performance.now()
      if (now > window.endsAt) window = { endsAt: now + WINDOW_MS, packets: 0, bytes: 0 }
      window.packets += 1
      window.bytes += data?.length ?? 0
      if (window.packets > MOST_PACKETS || window.bytes > MOST_BYTES) cut()
    })
  })
}
