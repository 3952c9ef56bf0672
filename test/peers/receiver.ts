import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Request to a receiver, byte for byte. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/**
 * Response of a receiver: a status, or a function that writes it; the request hangs if the function does not end the
 * response.
 */
export type Answering = number | ((request: IncomingMessage, response: ServerResponse) => void)

/** Starts a system that receives webhooks: each path responds as configured and records its requests. */
export async function startReceiver() {
  const received: Received[] = []
  const answers = new Map<string, Answering>()
  const server = createServer(async (request, response) => {
    const path = String(request.url)
    received.push({ path, headers: request.headers, body: await text(request) })
    const answer = answers.get(path) ?? 200
    if (typeof answer === 'function') answer(request, response)
    else response.writeHead(answer).end(`answered ${answer}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** Sets the response of a path from now on; returns its URL. */
    at(path: string, answer: Answering = 200): string {
      answers.set(path, answer)
      return origin + path
    },
    /** Returns the requests to a path, in order. */
    to: (path: string): readonly Received[] => received.filter((one) => one.path === path),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Parses the bodies of received webhooks. */
export const eventsOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; seq: number; data: Data })

// biome-ignore lint/suspicious/noExplicitAny: what is sent is judged by what it has.
type Data = any
