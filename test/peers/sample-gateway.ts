import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What the gateway was sent, by path, with the token that came along. */
export type GatewayCall = { path: string; token: string; body: { id?: string; to?: string; text?: string } }

/** The far end of the sample channel (test/channels/sample): takes what carries its token. */
export async function startSampleGateway(token: string) {
  const calls: GatewayCall[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as GatewayCall['body']
    const given = String(request.headers.authorization).replace('Bearer ', '')
    calls.push({ path: String(request.url), token: given, body })
    response.writeHead(given === token ? 200 : 401).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    calls,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((done) => void server.close(() => done())),
  }
}
