import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { encrypt } from '#features/connections/server/index.ts'
import { letter, mailboxForm, SHOP } from '#test/channels/mail-end.ts'
import { hostsOf, startProduct } from '#test/lifecycle/product.ts'
import { make } from '#test/make.ts'
import { type ImapPeer, startImap } from '#test/peers/imap/server.ts'
import { startSmtp } from '#test/peers/smtp.ts'
import { startProduct as openProduct } from '#test/product.ts'
import { until } from '#test/until.ts'
import { asOwner, migrateFor } from './database.ts'
import { type Linked, openScreen, sumOf } from './linked.ts'
import { percentiles } from './loop.ts'
import { usageOf } from './start.ts'
import { ask, comeTo } from './visitor.ts'
import { openSite } from './webchat.ts'

const budgets = {
  mailMemory: { name: 'memory of 100 mailboxes on IDLE, over empty hosts', unit: 'MB', goal: '≤ 150' },
  mailDelay: { name: 'mail → agent’s socket, 2 mails/s, p95', unit: 'ms', goal: '≤ 2,000' },
  mailFirst: { name: '1,000 mails of a first fetch', unit: 's', goal: '≤ 60' },
  mailBeside: { name: 'webchat → agent’s socket during it, 20 messages/s, p95', unit: 'ms', goal: '' },
  mailSlowing: { name: 'the same, of the p95 just before', unit: '×', goal: '' },
}

type MailKey = keyof typeof budgets

/** Keys of the measurements of mailboxes. */
export const mailKeys = Object.keys(budgets) as MailKey[]

const MAILBOXES = 100
const MAILS = 1000
const VISITORS = 10
const IDLE_MS = 20_000
const SECRET_KEY = '07'.repeat(32)

/** Measures mailboxes at IMAP servers of this process, on the same cores; the product as `npm start` runs it. */
export async function measureMail(keys: readonly string[]): Promise<Linked> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-mail-'))
  const database = await migrateFor(dataDir)
  const smtp = await startSmtp({ login: { user: SHOP, password: 'segredo' } })
  const mailboxes = await Promise.all(Array.from({ length: MAILBOXES }, () => startImap()))
  const env = { DATABASE_URL: database.url, SECRET_KEY, OUTBOUND_ALLOW: '127.0.0.1', RATE_LIMITS: '0' }
  const run = (more: Record<string, string> = {}) =>
    startProduct({ node: process.execPath, folder: join(import.meta.dirname, '..'), dataDir, env: { ...env, ...more } })
  const figures: Partial<Record<MailKey, number>> = {}
  const isWanted = (key: MailKey) => keys.includes(key)
  const [first] = mailboxes as [ImapPeer]
  let product: ReturnType<typeof run> | undefined
  try {
    const emptyHost = async () => {
      const host = run({ ROLES: 'channels' })
      await host.address
      await setTimeout(IDLE_MS)
      const { memory } = usageOf(host.pid)
      await host.end('SIGTERM')
      return memory
    }
    const empty = isWanted('mailMemory') ? await emptyHost() : 0
    const many = isWanted('mailMemory') ? MAILBOXES : 1
    const fetches = isWanted('mailFirst') || isWanted('mailBeside') || isWanted('mailSlowing')
    const company = await makeCompany(database.url, mailboxes.slice(0, many), { smtp, isFirstClosed: fetches })
    product = run()
    const address = await product.address
    if (fetches) Object.assign(figures, await measureFetch(address, database.url, { first, ...company }))
    await until(() => mailboxes.slice(0, many).every((one) => one.sessions().idle === 1), 240_000)
    if (isWanted('mailMemory')) {
      await setTimeout(IDLE_MS)
      const hosts = hostsOf(product.pid)
      figures.mailMemory = sumOf(hosts) - empty * hosts.length
    }
    if (isWanted('mailDelay')) {
      const screen = await openScreen(address, company)
      const send = (body: string, n: number) =>
        void mailboxes[n % many]!.deliver(letter(body, { from: `d${n % 20}@cliente.example`, subject: body }))
      await screen.measure(send, { perSecond: 2, seconds: 4 })
      figures.mailDelay = percentiles(await screen.measure(send, { perSecond: 2, seconds: 30 })).p95
      screen.close()
    }
  } finally {
    await product?.end('SIGTERM')
    await database.stop()
    await Promise.all([smtp.close(), ...mailboxes.map((one) => one.close())])
    rmSync(dataDir, { recursive: true, force: true })
  }
  return mailKeys.flatMap((key) => {
    const value = figures[key]
    return value === undefined ? [] : [{ key, ...budgets[key], value }]
  })
}

type Company = { tenantId: number; token: string; ids: readonly number[] }

/** Measures the opening of a full mailbox while visitors of the same company's site write, as they did before it. */
async function measureFetch(
  address: string,
  databaseUrl: string,
  { first, ids: [id], ...company }: Company & { first: ImapPeer },
): Promise<Partial<Record<MailKey, number>>> {
  const stored = () =>
    asOwner(databaseUrl, async (client) => {
      const { rows } = await client.query('select count(*)::int as n from messages where connection_id = $1', [id])
      return (rows[0] as { n: number }).n
    })
  const site = await openSite(address, company.token)
  const visitors = await Promise.all(Array.from({ length: VISITORS }, () => comeTo(address, site)))
  const screen = await openScreen(address, company)
  const write = (seconds: number) =>
    screen.measure((body, n) => void visitors[n % VISITORS]!.write(body), { perSecond: 20, seconds })
  await write(4)
  const before = percentiles(await write(20)).p95
  for (let n = 0; n < MAILS; n++)
    first.deliver(letter(`Primeira busca ${n}`, { from: `c${n % 50}@cliente.example`, subject: `Assunto ${n}` }))
  const began = performance.now()
  await ask(`${address}/api/whatsappsession/${id}`, {}, company.token)
  let isOver = false
  const fetched = until(async () => (await stored()) >= MAILS, 240_000)
    .then(() => (performance.now() - began) / 1000)
    .finally(() => {
      isOver = true
    })
  // Heard when it is awaited.
  fetched.catch(() => {})
  const delays: number[] = []
  while (!isOver) delays.push(...(await write(1)))
  screen.close()
  const mailBeside = percentiles(delays).p95
  return { mailFirst: await fetched, mailBeside, mailSlowing: mailBeside / before }
}

/** A company with a mailbox at each of the servers, to be opened with the product; the days before are read as well. */
async function makeCompany(
  databaseUrl: string,
  mailboxes: readonly ImapPeer[],
  { smtp, isFirstClosed }: { smtp: { port: number }; isFirstClosed: boolean },
): Promise<Company> {
  const product = await openProduct(databaseUrl, {
    env: { ROLES: ['channels'], CONNECTIONS_PER_PROCESS: 0, SECRET_KEY },
  })
  const { platform } = product
  const m = make(platform)
  const tenantId = await m.tenant()
  const token = await m.token(await m.user(tenantId, { profile: 'admin' }))
  const ids: number[] = []
  for (const imap of mailboxes) {
    const { pass, ...form } = mailboxForm({ imap, smtp })
    const status = isFirstClosed && ids.length === 0 ? 'DISCONNECTED' : 'OPENING'
    const id = await m.connection(tenantId, { type: 'webmail', status })
    ids.push(id)
    const secrets = { pass: { encrypted: encrypt(platform, { tenantId, id }, pass), hint: '' } }
    await platform.db.write(tenantId, (db) =>
      db
        .updateTable('connections')
        .set({ config: JSON.stringify({ ...form, days: 1 }), secrets: JSON.stringify(secrets) })
        .where('id', '=', id)
        .execute(),
    )
  }
  await product.close()
  return { tenantId, token, ids }
}
