import type { VisitorMessage, VisitorStatus, VisitorTyping } from '#features/webchat/contract.ts'
import { parsed } from './parsed.ts'

/** Events from the server. */
export type LiveEvents = {
  connected(): void
  disconnected(): void
  expired(): void
  message(message: VisitorMessage): void
  status(status: VisitorStatus): void
  typing(typing: VisitorTyping): void
  closed(): void
}

const NAMESPACE = '/webchat,'
const LONGEST_WAIT_MS = 10_000

/**
 * Listens to the visitor's conversation and reconnects without limit; returns a function that stops it. Speaks Socket.IO's
 * protocol (revision 5 on Engine.IO 4) over a plain WebSocket in these few lines, because the official client would be half
 * of the widget's weight; where WebSockets are blocked, `disconnected` is called repeatedly and the caller polls by HTTP.
 */
export function listen(visitorToken: string, on: LiveEvents): () => void {
  const address = `${location.origin.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
  let socket: WebSocket | null = null
  let tries = 0
  let patience = 30_000
  let silence: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const connect = (): void => {
    disconnect()
    socket = new WebSocket(address)
    socket.onmessage = ({ data }) => receive(String(data))
    socket.onclose = lost
    silence = setTimeout(lost, patience)
  }
  const disconnect = (): void => {
    clearTimeout(silence)
    clearTimeout(retry)
    if (socket) socket.onclose = socket.onmessage = null
    socket?.close()
    socket = null
  }
  const lost = (): void => {
    disconnect()
    on.disconnected()
    const wait = Math.min(LONGEST_WAIT_MS, 500 * 2 ** tries++)
    retry = setTimeout(connect, wait * (0.75 + Math.random() / 2))
  }

  const receive = (packet: string): void => {
    clearTimeout(silence)
    silence = setTimeout(lost, patience)
    if (packet === '2') socket?.send('3')
    if (packet[0] === '0') {
      const { pingInterval = 0, pingTimeout = 0 } = (parsed(packet.slice(1)) ?? {}) as Record<string, number>
      patience = pingInterval + pingTimeout || patience
      socket?.send(`40${NAMESPACE}${JSON.stringify({ visitorToken })}`)
    }
    const [, kind, ack, body] = /^4(\d)\/webchat,(\d*)(.*)/s.exec(packet) ?? []
    if (kind === '0') {
      tries = 0
      on.connected()
    } else if (kind === '2') {
      pass(body, on)
      if (ack) socket?.send(`43${NAMESPACE}${ack}[]`)
    } else if (kind === '4' && (parsed(body) as { message?: string } | null)?.message === 'ERR_SESSION_EXPIRED') {
      stop()
      on.expired()
    } else if (kind || packet === '1') lost()
  }

  const stop = (): void => {
    disconnect()
    window.removeEventListener('online', connect)
  }
  window.addEventListener('online', connect)
  connect()
  return stop
}

/** Passes an event of the server to its listener. */
function pass(body: string | undefined, on: LiveEvents): void {
  const [name, detail] = (parsed(body) ?? []) as [string, never]
  if (name === 'message') on.message(detail)
  else if (name === 'status') on.status(detail)
  else if (name === 'typing') on.typing(detail)
  else if (name === 'closed') on.closed()
}
