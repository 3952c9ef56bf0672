import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A message that reached the person behind a gateway, as their phone has it now. */
export type PhoneGot = {
  readonly id: string
  readonly to: string
  readonly kind: string
  body: string | null
  reaction: string | null
  readonly quotes: string | null
  readonly data?: Readonly<Record<string, unknown>>
  readonly file: { readonly name: string | null; readonly mime: string; readonly bytes: Uint8Array } | null
  readonly isVoice: boolean
  readonly mentioned: readonly string[]
  readonly everyone: boolean
}

/** Response of a gateway: status (200 by default), and a body that is sent as JSON unless it is bytes or text. */
export type Answered = { readonly status?: number; readonly body: unknown; readonly type?: string }

/** A call of a gateway; `path` without its query. */
export type GatewayCall = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly json: Readonly<Record<string, unknown>>
}

/** Simulated faults of a gateway. */
export type Faults = {
  /** No request gets a response. */
  isSilent: boolean
  /** Every request is rejected with 429. */
  isBusy?: boolean
  /** Number of the next sends that are done but whose responses are lost. */
  lostAnswers: number
  /** Whether the gateway's echoes of sends are held back. */
  holdEchoes: boolean
}

/** Starts an HTTP server that speaks JSON as gateways do, unless its faults make it silent or busy. */
export async function startJsonServer(
  answer: (call: GatewayCall) => Promise<Answered | null>,
  faults: Partial<Pick<Faults, 'isSilent' | 'isBusy'>>,
) {
  const calls: GatewayCall[] = []
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request)
    const { pathname, searchParams } = new URL(String(request.url), 'http://gateway')
    const json = bytes.length > 0 ? (JSON.parse(bytes.toString()) as GatewayCall['json']) : {}
    const call = { method: String(request.method), path: decodeURIComponent(pathname), query: searchParams, json }
    calls.push({ ...call, headers: request.headers })
    const answering = async () => {
      if (faults.isSilent) return null
      if (faults.isBusy) return { status: 429, body: { message: 'Too Many Requests' } }
      return answer({ ...call, headers: request.headers })
    }
    const answered = await answering().catch(
      (error: unknown): Answered => ({ status: 500, body: { error: String(error) } }),
    )
    // The connection is cut, so the caller does not know if the request was done.
    if (!answered) return void request.socket.destroy()
    const { status = 200, body, type = 'application/json' } = answered
    response.writeHead(status, { 'content-type': type })
    response.end(body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Calls a registered webhook address of the product; throws its response unless the status is 200. */
export async function callBack(url: string, body: string, type = 'application/json', headers = {}): Promise<void> {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
}
