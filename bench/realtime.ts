import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { ingestIdle, receive } from '#features/conversations/server/index.ts'
import type { Platform } from '#server/platform.ts'
import { textEvent } from '#test/peers/channel.ts'
import { type BenchTenant, sentence } from './data.ts'
import { type Measure, percentiles } from './loop.ts'

type Listen = { address: string; tokens: string[]; sockets: number; event: string }
type Delays = { received: number; p50: number; p95: number; p99: number }

/** Sockets in a thread of their own; each event carries the moment (epoch ms) at which its cause began. */
export async function listeners(task: Listen): Promise<{ take(): Promise<Delays>; end(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task })
  const ask = async <T>(question: string): Promise<T> => {
    worker.postMessage(question)
    const [answer] = await once(worker, 'message')
    return answer as T
  }
  await ask('connected?')
  return { take: () => ask('delays?'), end: async () => void (await worker.terminate()) }
}

if (parentPort) {
  const { address, tokens, sockets, event } = workerData as Listen
  let delays: number[] = []
  const open: Socket[] = []
  for (let n = 0; n < sockets; n++) {
    const socket = io(address, {
      transports: ['websocket'],
      auth: { token: tokens[n % tokens.length] },
      forceNew: true,
    })
    socket.on(event, (envelope: { type: string; payload: { message?: { timestamp: number }; at?: number } }) => {
      const at =
        envelope.payload.at ?? (envelope.type === 'chat:create' ? envelope.payload.message?.timestamp : undefined)
      if (at !== undefined) delays.push(performance.timeOrigin + performance.now() - at)
    })
    open.push(socket)
  }
  parentPort.on('message', async (question) => {
    if (question === 'connected?') {
      await Promise.all(
        open.map((socket) => socket.connected || new Promise((resolve) => socket.once('connect', () => resolve(true)))),
      )
      parentPort!.postMessage(true)
      return
    }
    parentPort!.postMessage({ received: delays.length, ...percentiles(delays) })
    delays = []
  })
}

const now = () => performance.timeOrigin + performance.now()

/**
 * Durable inbound messages per second until they are processed; the delays are those of the provider's call, which is
 * answered after the journal's commit.
 */
export async function measureIngest(platform: Platform, tenant: BenchTenant, inFlight: number): Promise<Measure> {
  const messages = inFlight === 1 ? 600 : 4000
  const rounds: Measure[] = []
  for (let round = 0; round < 3; round++) {
    const delays: number[] = []
    const began = performance.now()
    let n = 0
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (n < messages) {
          const event = textEvent({ from: `k-ingest-${n++ % 200}`, body: sentence(n), at: Math.floor(now()) })
          const called = performance.now()
          await receive(platform, tenant, [event])
          delays.push(performance.now() - called)
          if (inFlight === 1) await ingestIdle(platform)
        }
      }),
    )
    await ingestIdle(platform)
    rounds.push({ perSecond: (messages / (performance.now() - began)) * 1000, ...percentiles(delays) })
  }
  return rounds.sort((a, b) => a.perSecond - b.perSecond)[1]!
}

/**
 * The delay from a provider's call to an agent's socket at a fixed rate: known conversations, and one message in a
 * hundred from somebody unknown.
 */
export async function measureDelay(
  platform: Platform,
  tenant: BenchTenant,
  address: string,
  perSecond: number,
  seconds: number,
): Promise<Delays> {
  const ears = await listeners({
    address,
    tokens: tenant.userTokens.slice(0, 1),
    sockets: 10,
    event: `${tenant.tenantId}:ticketList`,
  })
  const step = 10
  const each = (perSecond * step) / 1000
  let due = 0
  let n = 0
  const hear = (from: string) =>
    receive(platform, tenant, [textEvent({ from, body: sentence(n), at: Math.floor(now()) })])
  const known = Array.from({ length: 200 }, (_, person) => `k-delay-${person}`)
  await Promise.all(known.map(hear))
  await ingestIdle(platform)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await ears.take()
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    due += each
    while (due >= 1) {
      due--
      n++
      void hear(n % 100 === 0 ? `k-delay-new-${n}` : known[n % known.length]!)
    }
    await new Promise((resolve) => setTimeout(resolve, step))
  }
  await ingestIdle(platform)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const delays = await ears.take()
  await ears.end()
  return delays
}

/** Events per second to `sockets` connected agents with p99 ≤ 50 ms: the highest step of the stairs that holds. */
export async function measureFanOut(
  emit: (payload: object) => void,
  address: string,
  tokens: string[],
  event: string,
  sockets: number,
): Promise<{ safe: number; ceiling: number }> {
  const ears = await listeners({ address, tokens, sockets, event })
  let safe = 0
  let ceiling = 0
  for (const rate of [25, 50, 100, 150, 200, 250, 300]) {
    await ears.take()
    const ms = 1500
    const began = performance.now()
    let sent = 0
    while (performance.now() - began < ms) {
      const wanted = ((performance.now() - began) / 1000) * rate
      for (; sent < wanted; sent++) emit({ at: now(), filler: 'x'.repeat(1400) })
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await new Promise((resolve) => setTimeout(resolve, 400))
    const { received, p99 } = await ears.take()
    ceiling = Math.max(ceiling, received / (ms / 1000))
    if (p99 <= 50 && received >= sent * sockets * 0.99) safe = rate
    else break
  }
  await ears.end()
  return { safe, ceiling }
}

/** The same stairs on a bare Socket.IO server. */
export async function measureRawFanOut(sockets: number): Promise<{ safe: number; ceiling: number }> {
  const http = createServer()
  const server = new Server(http, { transports: ['websocket'], perMessageDeflate: false })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  try {
    return await measureFanOut(
      (payload) => server.emit('event', { type: 'bench', payload }),
      address,
      ['none'],
      'event',
      sockets,
    )
  } finally {
    await server.close()
  }
}
