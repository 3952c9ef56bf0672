import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

const env = (extra: Record<string, string>) => ({
  ...process.env,
  PORT: '0',
  LOG_LEVEL: 'fatal',
  RATE_LIMITS: 'false',
  DB_POOL: '6',
  ...extra,
})
/** Starts a script of this folder. */
export const run = (script: string, extra: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, script)], {
    env: env(extra),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Time-out of a start on a busy machine, in ms. */
export const START_MS = 90_000

/**
 * Starts the product as a separate process; `address` is null if it was killed before it listened. A process that ends by
 * itself, or does not listen in time, is an error with its last output, since it would never start.
 */
export async function startChild(
  extra: Record<string, string>,
  limitMs = START_MS,
): Promise<{ process: ChildProcess; address: string | null }> {
  const child = run('child.ts', extra)
  const said = lastOutput(child)
  const timeout = AbortSignal.timeout(limitMs)
  while (child.exitCode === null && child.signalCode === null) {
    const address = /listening (\S+)/.exec(said())?.[1]
    if (address) return { process: child, address }
    if (timeout.aborted) child.kill('SIGKILL')
    await setTimeout(5)
  }
  if (child.signalCode === 'SIGKILL' && !timeout.aborted) return { process: child, address: null }
  throw new Error(`the product did not start (${child.exitCode ?? child.signalCode}): ${said()}`)
}

/** Returns a function for the last output of a process; reading on also keeps its output from blocking. */
export function lastOutput(child: ChildProcess): () => string {
  let said = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4000)
    })
  return () => said
}

/** Kills a process and waits until it is gone. */
export async function stop(child: { process: ChildProcess } | null): Promise<void> {
  if (!child || child.process.exitCode !== null || child.process.signalCode !== null) return
  const gone = new Promise((resolve) => child.process.once('exit', resolve))
  child.process.kill('SIGKILL')
  await gone
}

/** Appends to the list of a key. */
export function addTo(lists: Record<string, string[]>, key: string, value: string): void {
  lists[key] = [...(lists[key] ?? []), value]
}

/** Runs `work` on a separate connection. */
export async function query<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Message that a product asked the provider to send; `worker` names the process that asked, if it has a name. */
export type PeerMessage = { id: string; to: string; body: string; worker?: string }

/**
 * Starts the provider: it stores each message once by its id, as a linked phone does, reports new ones, and responds after
 * `answerMs`.
 */
export async function startPeer({
  answerMs = 0,
  onTaken = () => {},
}: {
  answerMs?: number
  onTaken?: (message: PeerMessage) => void
} = {}): Promise<{
  url: string
  held: Record<string, string[]>
  /** All requests in order, including repeated ones. */
  requests: PeerMessage[]
  close(): Promise<void>
}> {
  const held: Record<string, string[]> = {}
  const known = new Map<string, { to: string; at: number }>()
  const requests: PeerMessage[] = []
  const server: Server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', async () => {
      const message = JSON.parse(text) as PeerMessage
      requests.push(message)
      const before = known.get(message.id)
      // A stored message may be edited; the same message again changes nothing.
      if (request.url === '/edit' && before) held[before.to]![before.at] = message.body
      if (!before && request.url !== '/edit') {
        addTo(held, message.to, message.body)
        known.set(message.id, { to: message.to, at: held[message.to]!.length - 1 })
        onTaken(message)
      }
      if (answerMs > 0) await setTimeout(answerMs)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
