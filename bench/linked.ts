import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { io } from 'socket.io-client'
import type { Phone } from '#features/lab/server/whatsapp/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { hostsOf, startProduct } from '#test/lifecycle/product.ts'
import { make } from '#test/make.ts'
import { startProduct as openProduct } from '#test/product.ts'
import { until } from '#test/until.ts'
import { whatsappEnvironment } from '#test/whatsapp-company.ts'
import { asOwner, migrateFor } from './database.ts'
import { percentiles } from './loop.ts'
import { usageOf } from './start.ts'

const budgets = {
  linkedMemory: { name: 'memory of an idle number, of 50, over an empty host', unit: 'MB', goal: '≤ 5' },
  linkedReturn: { name: '50 numbers back after a restart', unit: 's', goal: '≤ 30' },
  linkedDelay: { name: 'phone → agent’s socket, 10 msg/s, p95', unit: 'ms', goal: '≤ 60' },
  linkedStream: { name: 'the same, last ten seconds of a minute of 50 msg/s on one number', unit: 'ms', goal: '≤ 60' },
  linkedHosts: { name: 'memory of the hosts of 200 numbers', unit: 'MB', goal: '≤ 1,638' },
}

type LinkedKey = keyof typeof budgets

/** Keys of the measurements of linked numbers. */
export const linkedKeys = Object.keys(budgets) as LinkedKey[]

/** Line of the table: name, value, unit and goal. */
export type Linked = readonly { key: string; name: string; value: number; unit: string; goal: string }[]

/** Idle time of a process before its memory is read, in ms. */
const IDLE_MS = 20_000
const AT_ONCE = 10
const CONTACTS = 20

/**
 * Measures numbers linked to phones of a local WhatsApp: the product as `npm start` runs it, with hosts as separate
 * processes. The phones and the WhatsApp run in this process, on the same cores.
 */
export async function measureLinked(keys: readonly string[]): Promise<Linked> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-linked-'))
  const whatsapp = await startWhatsAppServer()
  const database = await migrateFor(dataDir)
  const { OUTBOUND_ALLOW, ...environment } = whatsappEnvironment(whatsapp)
  const start = (env: Record<string, string> = {}) =>
    startProduct({
      ...{ node: process.execPath, folder: join(import.meta.dirname, '..'), dataDir },
      env: {
        ...{ DATABASE_URL: database.url, SECRET_KEY: '07'.repeat(32), OUTBOUND_ALLOW: OUTBOUND_ALLOW.join() },
        ...{ RATE_LIMITS: '0', ...environment, ...env },
      },
    })
  const figures: Partial<Record<LinkedKey, number>> = {}
  const isWanted = (...some: LinkedKey[]) => some.some((key) => keys.includes(key))
  let product: ReturnType<typeof start> | undefined
  try {
    const emptyHost = async () => {
      const host = start({ ROLES: 'channels' })
      await host.address
      await setTimeout(IDLE_MS)
      const { memory } = usageOf(host.pid)
      await host.end('SIGTERM')
      return memory
    }
    const empty = isWanted('linkedMemory') ? await emptyHost() : 0
    const company = await makeCompany(database.url, 200)
    product = start()
    const address = await product.address
    const hosts = () => hostsOf(product!.pid)
    const many = isWanted('linkedMemory', 'linkedReturn', 'linkedHosts') ? 50 : 1
    const [shop] = await link(database.url, whatsapp, company.numbers.slice(0, many))
    if (isWanted('linkedMemory')) {
      await setTimeout(IDLE_MS)
      figures.linkedMemory = (sumOf(hosts()) - empty) / many
    }
    if (isWanted('linkedDelay', 'linkedStream')) {
      const screen = await openScreen(address, company)
      const phones = await Promise.all(
        Array.from({ length: CONTACTS }, (_, n) =>
          whatsapp.addPhone({ number: `55219880${String(n).padStart(5, '0')}`, name: `Pessoa ${n}` }),
        ),
      )
      // Each has a session with the number and a ticket, as after the first word.
      const send = (body: string, n: number) => void phones[n % phones.length]!.text(shop!.jid, body)
      await screen.measure(send, { perSecond: 10, seconds: 4 })
      if (isWanted('linkedDelay')) {
        const delays = await screen.measure(send, { perSecond: 10, seconds: 30 })
        figures.linkedDelay = percentiles(delays).p95
      }
      if (isWanted('linkedStream')) {
        const delays = await screen.measure(send, { perSecond: 50, seconds: 60 })
        figures.linkedStream = percentiles(delays.slice(-500)).p95
      }
      screen.close()
    }
    if (isWanted('linkedReturn')) {
      await product.end('SIGTERM')
      const began = performance.now()
      product = start()
      await until(() => isBack(database.url, many, began), 120_000)
      figures.linkedReturn = (performance.now() - began) / 1000
    }
    if (isWanted('linkedHosts')) {
      await link(database.url, whatsapp, company.numbers.slice(many))
      await setTimeout(IDLE_MS)
      figures.linkedHosts = sumOf(hosts())
    }
  } finally {
    await product?.end('SIGTERM')
    await database.stop()
    await whatsapp.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return linkedKeys.flatMap((key) => {
    const value = figures[key]
    return value === undefined ? [] : [{ key, ...budgets[key], value }]
  })
}

type Company = { tenantId: number; token: string; numbers: readonly { id: number; number: string }[] }

/** Creates a company with `many` numbers, none of them started. */
async function makeCompany(databaseUrl: string, many: number): Promise<Company> {
  const product = await openProduct(databaseUrl, { env: { ROLES: ['channels'], CONNECTIONS_PER_PROCESS: 0 } })
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const numbers = []
  for (let n = 0; n < many; n++) {
    const id = await m.connection(tenantId, { type: 'baileys', status: 'DISCONNECTED' })
    numbers.push({ id, number: `55113${String(n).padStart(7, '0')}` })
  }
  await product.close()
  return { tenantId, token, numbers }
}

/** Starts numbers and scans their QR codes; returns the phones once all are connected. */
async function link(databaseUrl: string, whatsapp: WhatsAppServer, numbers: Company['numbers']): Promise<Phone[]> {
  const left = [...numbers.entries()]
  const phones: Phone[] = []
  const work = async (client: pg.Client) => {
    const rowOf = async (id: number) => {
      const { rows } = await client.query('select status, qrcode from connections where id = $1', [id])
      return rows[0] as { status: string; qrcode: string | null }
    }
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, { id, number }] = next
      const phone = await whatsapp.addPhone({ number, name: `Número ${number}` })
      await client.query("update connections set status = 'OPENING' where id = $1", [id])
      // Each code is read that is shown: on a busy machine one may expire meanwhile.
      const read = new Set<string>()
      await until(async () => {
        const { status, qrcode } = await rowOf(id)
        if (qrcode !== null && !read.has(qrcode)) await phone.scan(qrcode).catch(() => {})
        if (qrcode !== null) read.add(qrcode)
        return status === 'CONNECTED'
      }, 180_000)
      phones[at] = phone
    }
  }
  // Each on a separate connection, which handles one query at a time.
  await Promise.all(Array.from({ length: AT_ONCE }, () => asOwner(databaseUrl, work)))
  return phones
}

/** Whether `many` numbers have logged in since a moment of this process's clock. */
const isBack = (databaseUrl: string, many: number, since: number): Promise<boolean> =>
  asOwner(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "select count(*)::int as n from connections where status = 'CONNECTED' and updated_at > $1",
      [new Date(performance.timeOrigin + since)],
    )
    return (rows[0] as { n: number }).n === many
  })

/** Opens an agent's socket that records the delay of each message until its event, in ms, in the order of sending. */
export async function openScreen(address: string, { tenantId, token }: Pick<Company, 'tenantId' | 'token'>) {
  const socket = io(address, { transports: ['websocket'], auth: { token }, forceNew: true })
  const sent = new Map<string, { at: number; seen: PromiseWithResolvers<number> }>()
  socket.on(
    `${tenantId}:ticketList`,
    ({ type, payload }: { type: string; payload: { message?: { body: string } } }) => {
      const found = type === 'chat:create' && sent.get(payload.message?.body ?? '')
      if (found) found.seen.resolve(performance.now() - found.at)
    },
  )
  await until(() => socket.connected)
  let n = 0
  return {
    async measure(
      send: (body: string, n: number) => void,
      { perSecond, seconds }: { perSecond: number; seconds: number },
    ) {
      const delays: Promise<number>[] = []
      const began = performance.now()
      for (let done = 0; done < perSecond * seconds; done++) {
        await setTimeout(Math.max(0, began + (done * 1000) / perSecond - performance.now()))
        const body = `Mensagem ${++n}`
        const seen = Promise.withResolvers<number>()
        sent.set(body, { at: performance.now(), seen })
        delays.push(seen.promise)
        send(body, n)
      }
      return Promise.all(delays)
    },
    close: () => void socket.disconnect(),
  }
}

/** The memory of processes together, in MB. */
export const sumOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + usageOf(pid).memory, 0)
