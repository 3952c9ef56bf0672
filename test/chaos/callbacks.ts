import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

type Call = { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** Public address of an installation, where providers call back. */
export type Callbacks = {
  readonly address: string
  /** Number of calls that no web process has accepted yet. */
  waiting(): number
  /** Delivers all recorded calls again, in the order that `order` returns. */
  again(order: (calls: readonly Call[]) => readonly Call[]): Promise<void>
  /** Drops the recorded calls, so that `again` does not repeat them. */
  forget(): void
  close(): Promise<void>
}

const REPEAT_MS = 100
const ANSWER_MS = 8000

/**
 * Starts a server that passes each call on to the web processes (by their addresses) in turn, repeating it until one
 * responds, as providers do.
 */
export async function startCallbacks(webs: () => readonly string[]): Promise<Callbacks> {
  let calls: Call[] = []
  let [waiting, turn, isClosed] = [0, 0, false]

  async function deliver({ path, headers, body }: Call): Promise<number> {
    waiting++
    for (;;) {
      const all = webs()
      const signal = AbortSignal.timeout(ANSWER_MS)
      const answer = await fetch(`${all[turn++ % all.length]}${path}`, { method: 'POST', headers, body, signal }).catch(
        () => null,
      )
      if ((answer && answer.status < 500) || isClosed) {
        waiting--
        return answer?.status ?? 503
      }
      await setTimeout(REPEAT_MS)
    }
  }

  const server = createServer(async (request, response) => {
    const call = { path: String(request.url), headers: carried(request.headers), body: await text(request) }
    calls.push(call)
    response.writeHead(await deliver(call)).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => waiting,
    again: async (order) => void (await Promise.all(order(calls).map(deliver))),
    forget: () => {
      calls = []
    },
    close: () => {
      isClosed = true
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

const carried = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name === 'content-type' || name.startsWith('x-') ? [[name, String(value)]] : [],
    ),
  )
