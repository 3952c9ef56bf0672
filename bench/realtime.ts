import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import type { Platform } from '#server/platform.ts'
import { textEvent } from '#test/peers/channel.ts'
import type { Product } from '#test/product.ts'
import { type BenchTenant, sentence } from './data.ts'
import { type Measure, medianOf, percentiles } from './loop.ts'

type Listen = { address: string; tokens: string[]; sockets: number; event: string }
type Delays = { received: number; p50: number; p95: number; p99: number }

/** Opens sockets in a separate thread; each event contains the moment (epoch ms) at which its cause began. */
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

const moments = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Measures durable inbound messages, each until it is stored and its event is published in this process. */
export async function measureIngest(
  platform: Platform,
  tenant: BenchTenant,
  inFlight: number,
  from: (n: number) => string = (n) => `k-ingest-${n % 200}`,
): Promise<Measure> {
  const messages = inFlight === 1 ? 600 : 4000
  const waiting = new Map<string, () => void>()
  const silence = platform.bus.subscribe((_, changes) => {
    for (const { type, payload } of changes) {
      if (type !== 'chat:create') continue
      const { body } = (payload as { message: { body: string } }).message
      waiting.get(body)?.()
      waiting.delete(body)
    }
  })
  let n = 0
  const ingest = async () => {
    const body = `${sentence(n)}, nº ${n}`
    const delivered = new Promise<void>((resolve) => waiting.set(body, resolve))
    await receive(platform, tenant, [textEvent({ from: from(n++), body, at: Math.floor(now()) })])
    await delivered
  }
  const round = async () => {
    const delays: number[] = []
    const last = n + messages
    const began = performance.now()
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (n < last) {
          const called = performance.now()
          await ingest()
          delays.push(performance.now() - called)
        }
      }),
    )
    return { perSecond: (delays.length / (performance.now() - began)) * 1000, ...percentiles(delays) }
  }
  try {
    return await medianOf(round, 'perSecond')
  } finally {
    silence()
  }
}

/**
 * Measures the delay from a provider's webhook to an agent's socket at a fixed rate: known conversations, and one message in
 * a hundred from an unknown contact.
 */
export async function measureDelay(
  { platform, address }: Product,
  tenant: BenchTenant,
  perSecond: number,
  seconds: number,
): Promise<Measure> {
  const sockets = await listeners({
    address,
    tokens: tenant.userTokens.slice(0, 1),
    sockets: 10,
    event: `${tenant.tenantId}:ticketList`,
  })
  const step = 10
  const each = (perSecond * step) / 1000
  let n = 0
  const ingest = (from: string) =>
    receive(platform, tenant, [textEvent({ from, body: sentence(n), at: Math.floor(now()) })])
  const known = Array.from({ length: 200 }, (_, person) => `k-delay-${person}`)
  await Promise.all(known.map(ingest))
  const round = async () => {
    await ingestIdle(platform)
    await moments(500)
    await sockets.take()
    let due = 0
    const began = performance.now()
    while (performance.now() < began + seconds * 1000) {
      due += each
      while (due >= 1) {
        due--
        n++
        void ingest(n % 100 === 0 ? `k-delay-new-${n}` : known[n % known.length]!)
      }
      await moments(step)
    }
    const took = performance.now() - began
    await ingestIdle(platform)
    await moments(500)
    const { received, ...delays } = await sockets.take()
    return { perSecond: (received / took) * 1000, ...delays }
  }
  try {
    return await medianOf(round, 'p50')
  } finally {
    await sockets.end()
  }
}

/** Throughput of a server when each event goes to every socket. */
export type FanOut = {
  /** Highest rate of events per second with p99 ≤ 50 ms and no loss in one of two attempts, to within 3 %. */
  safe: number
  /** The most deliveries per second that were seen. */
  ceiling: number
  /** Time of the server's thread per delivery, in µs, at a rate that both servers sustain. */
  cost: number
}

type Emit = (payload: object) => void
const COST_RATE = 50

/** Sends 1.5 kB events to `sockets` connected agents: at a fixed rate for the cost, then halving towards the safe one. */
export async function measureFanOut(
  emit: Emit,
  address: string,
  tokens: string[],
  event: string,
  sockets: number,
): Promise<FanOut> {
  const ears = await listeners({ address, tokens, sockets, event })
  let ceiling = 0
  const at = async (rate: number) => {
    await ears.take()
    const ms = 1500
    const began = performance.now()
    const worked = process.threadCpuUsage()
    let sent = 0
    while (performance.now() - began < ms) {
      const wanted = ((performance.now() - began) / 1000) * rate
      for (; sent < wanted; sent++) emit({ at: now(), filler: 'x'.repeat(1400) })
      await moments(2)
    }
    await moments(400)
    const { user, system } = process.threadCpuUsage(worked)
    const { received, p99 } = await ears.take()
    ceiling = Math.max(ceiling, received / (ms / 1000))
    return { isSafe: p99 <= 50 && received >= sent * sockets * 0.99, cost: (user + system) / received }
  }
  // Events left in the sockets' buffers after an overload belong to no other rate, and a single pause (of the collector or
  // of the machine) to none.
  const stands = async (rate: number) => {
    for (let tries = 2; tries > 0; tries--) {
      if ((await at(rate)).isSafe) return true
      await moments(600)
    }
    return false
  }
  try {
    await at(COST_RATE)
    const { cost } = await at(COST_RATE)
    let [safe, unsafe] = [0, 400]
    while (unsafe - safe > Math.max(3, safe * 0.03)) {
      const rate = (safe + unsafe) / 2
      if (await stands(rate)) safe = rate
      else unsafe = rate
    }
    return { safe, ceiling, cost }
  } finally {
    await ears.end()
  }
}

/** Measures fan-out on a bare Socket.IO server. */
export async function measureRawFanOut(sockets: number): Promise<FanOut> {
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
