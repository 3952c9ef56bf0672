import { sql } from 'kysely'
import { io } from 'socket.io-client'
import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { make } from '#test/make.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'
import type { Product } from '#test/product.ts'
import { until } from '#test/until.ts'
import { httpLoad } from './http-load.ts'
import { closedLoop, type Measure, percentiles } from './loop.ts'

const IN_FLIGHT = 16
const EVENTS = 10_000
const OF_A_BODY = 100
const CONTACTS = 200

/** More calls than a measurement makes, since a repeated one is no message. */
const CALLS = 30_000

/** Runs `work` with a number of the Cloud API, in a new company. */
async function withNumber<T>(
  product: Product,
  work: (of: { meta: Awaited<ReturnType<typeof startMeta>>; tenantId: number; token: string }) => Promise<T>,
): Promise<T> {
  const meta = await startMeta()
  try {
    const m = make(product.platform)
    const tenantId = await m.tenant('Meta')
    const admin = await m.user(tenantId, { profile: 'admin' })
    const token = await m.token(admin)
    const number = await metaCompany(product, meta, { tenantId, adminId: admin.id, token })
    if ((await number.start()).status !== 200) throw new Error('the number was not started')
    return await work({ meta, tenantId, token })
  } finally {
    await ingestIdle(product.platform)
    await meta.close()
  }
}

let written = 0
const message = () => {
  const n = ++written
  const [from, id] = [`55118${String(10_000_000 + (n % CONTACTS)).padStart(8, '0')}`, `wamid.bench-${n}`]
  return { from, id, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body: `Mensagem ${n}` } }
}

/** Measures a webhook call with one message until its response, 16 at a time; signing is not included. */
export const measureWebhook = (product: Product): Promise<Measure> =>
  withNumber(product, async ({ meta }) => {
    const { origin: address, pathname: path } = new URL(meta.state.callback)
    const operations = Array.from({ length: CALLS }, () => {
      const body = meta.written(meta.entryOf({ messages: [message()] }))
      return [{ path, body, signature: meta.signatureOf(body) }]
    })
    return httpLoad({ address, operations, token: '', clients: IN_FLIGHT })
  })

/** Events per second, until the last of 10,000 in bodies of 100 is a message; delays in ms of a body. */
export const measureWebhookBodies = (product: Product): Promise<Measure> =>
  withNumber(product, async ({ meta, tenantId }) => {
    const bodies = Array.from({ length: EVENTS / OF_A_BODY }, () => Array.from({ length: OF_A_BODY }, message))
    const delays: number[] = []
    const began = performance.now()
    const client = async () => {
      for (let messages = bodies.pop(); messages; messages = bodies.pop()) {
        const called = performance.now()
        await meta.push({ messages })
        delays.push(performance.now() - called)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, client))
    const count = () =>
      product.platform.db.read(tenantId, async (db) => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from messages`.execute(db)
        return rows[0]!.n
      })
    await until(async () => (await count()) === EVENTS, 120_000)
    return { perSecond: (EVENTS / (performance.now() - began)) * 1000, ...percentiles(delays) }
  })

/** Measures from a webhook call with one message until its event reaches an agent's socket, one call after the other. */
export const measureWebhookToScreen = (product: Product): Promise<Measure> =>
  withNumber(product, async ({ meta, tenantId, token }) => {
    const waiting = new Map<string, () => void>()
    const socket = io(product.address, { transports: ['websocket'], auth: { token }, forceNew: true })
    socket.on(
      `${tenantId}:ticketList`,
      ({ type, payload }: { type: string; payload: { message?: { body: string } } }) => {
        if (type === 'chat:create') waiting.get(payload.message!.body)?.()
      },
    )
    try {
      await until(() => socket.connected)
      return await closedLoop(1, async () => {
        const one = message()
        const published = new Promise<void>((resolve) => waiting.set(one.text.body, resolve))
        await meta.push({ messages: [one] })
        await published
        waiting.delete(one.text.body)
      })
    } finally {
      socket.close()
    }
  })
