import type { ChildProcess } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startWhatsAppServer, type WhatsAppServer } from '#features/lab/server/whatsapp/server.ts'
import { loadLibrary } from '#providers/channels/baileys/library.ts'
import { type Embedded, startEmbedded } from '#server/postgres/embedded.ts'
import { isAlive, serversIn, signal, waitUntil } from '#server/postgres/processes.ts'
import { type PeerMessage, startChild, startPeer, stop } from '#test/crash/processes.ts'
import { type Faults, installFaults } from '#test/faults.ts'
import type { startMeta } from '#test/peers/meta/graph.ts'
import { type ProxyPeer, startProxyPeer } from '#test/peers/proxy.ts'
import { startTcpProxy, type TcpProxy } from '#test/peers/tcp-proxy.ts'
import { startTelegram, type TelegramPeer } from '#test/peers/telegram/bot-api.ts'
import { createDatabase } from '#test/product.ts'
import { whatsappEnvironment } from '#test/whatsapp-company.ts'
import { type Callbacks, startCallbacks } from './callbacks.ts'
import { type Disk, openDisk } from './disk.ts'
import type { GatewayFaults, MailFaults, VisitorFaults } from './side.ts'

/** Process of the product that is restarted whenever it ends, as by an operator's supervisor. */
export type Member = {
  readonly role: 'web' | 'worker' | 'channels'
  readonly name: string
  readonly address: string
  signal(name: NodeJS.Signals): void
  /** Makes the next life of the process end at a named point, after passing it `after` times. */
  arm(point: string, after: number): void
  /** Number of lives armed to end at a point that are over. */
  readonly armedEnds: number
  readonly isRunning: boolean
}

/**
 * An installation with two processes each that serve people, work, and keep connections open, on one PostgreSQL that can be
 * stopped, frozen and killed; and a WhatsApp at the end of a line.
 */
export type World = {
  readonly members: readonly Member[]
  readonly proxy: TcpProxy
  readonly disk: Disk
  readonly faults: Faults
  readonly whatsapp: WhatsAppServer
  /** Meta stand-in of the round. */
  readonly meta: { current: Awaited<ReturnType<typeof startMeta>> | null }
  readonly metaProxy: TcpProxy
  /** Mailbox of the round, and the lines to its servers. */
  readonly mail: { current: MailFaults | null }
  /** Line and pages of the visitors to the round's site. */
  readonly visitors: { current: VisitorFaults | null }
  /** Faults of the gateways of the round. */
  readonly gateways: Set<GatewayFaults>
  /** Public address of the installation, which passes webhooks on. */
  readonly callbacks: Callbacks
  /** Line from linked devices to the WhatsApp. */
  readonly line: TcpProxy
  readonly telegram: TelegramPeer
  /** HTTP proxy of a company, through which its linked number connects. */
  readonly gateway: ProxyPeer
  readonly provider: { held: Record<string, string[]>; onTaken: (message: PeerMessage) => void }
  /** Returns the owner's database URL, past the proxy; it changes when the database restarts. */
  database(): string
  /** Ends the database (SIGKILL without a word, or as an administrator does) and starts it again after a while. */
  restartDatabase(how: 'kill' | 'stop', downMs: number): Promise<void>
  freezeDatabase(ms: number): Promise<void>
  /** Returns the process ends that no fault caused. */
  ownEnds(): string[]
  /** Waits until all processes and the database run. */
  allUp(): Promise<void>
  close(): Promise<void>
}

/** Time-out in ms of a process's start on a busy machine. */
const START_MS = 120_000
const quiet = { info: () => {}, error: () => {} }

/** Starts an installation; with `isReal`, its database and files are on a disk that can be filled. */
export async function startWorld(isReal: boolean): Promise<World> {
  const disk = openDisk(isReal)
  const start = (): Promise<Embedded> =>
    startEmbedded({ dataDir: disk.path, log: quiet, fsync: false, sharedBuffers: '64MB', onCrash: () => {} })
  let embedded = await start()
  const proxy = await startTcpProxy(embedded.url)
  const made = new URL(await createDatabase(embedded.url))
  const directory = realpathSync(join(disk.path, 'postgres'))
  const database = () => {
    const url = new URL(embedded.url)
    url.pathname = made.pathname
    return url.href
  }
  const faults = await installFaults(database())
  const provider: World['provider'] = { held: {}, onTaken: () => {} }
  const peer = await startPeer({ onTaken: (message) => provider.onTaken(message) })
  provider.held = peer.held
  // Its phones print no keys.
  await loadLibrary()
  const whatsapp = await startWhatsAppServer()
  const line = await startTcpProxy(whatsapp.url)
  const gateway = await startProxyPeer()
  const telegram = await startTelegram()
  const metaProxy = await startTcpProxy('http://127.0.0.1:9')
  const metaAddress = `http://127.0.0.1:${metaProxy.port}`
  const { OUTBOUND_ALLOW, ...linked } = whatsappEnvironment({ ...whatsapp, url: line.through(whatsapp.url) })
  const members: Member[] = []
  const callbacks = await startCallbacks(() =>
    members.filter(({ role }) => role === 'web').map(({ address }) => address),
  )
  let isClosing = false
  const ownEnds: string[] = []
  let refusal = ''

  async function member(role: Member['role'], n: number): Promise<Member> {
    const port = await freePort()
    let child: ChildProcess | null = null
    let isMeant = false
    let armed: Record<string, string> = {}
    let armedEnds = 0
    const name = `${role} ${n}`
    const run = async (): Promise<void> => {
      while (!isClosing) {
        const environment = {
          DATABASE_URL: proxy.through(database()),
          DATA_DIR: disk.path,
          PEER_URL: peer.url,
          TELEGRAM_API_URL: telegram.address,
          PUBLIC_URL: callbacks.address,
          ROLES: role,
          PORT: String(port),
          NODE_COMPILE_CACHE: '.cache/node',
          OUTBOUND_ALLOW: OUTBOUND_ALLOW.join(),
          ...linked,
          META_GRAPH_URL: metaAddress,
          META_INSTAGRAM_URL: metaAddress,
          META_LOGIN_URL: metaAddress,
          ...armed,
        }
        const isArmed = 'CRASH_AT' in armed
        armed = {}
        const started = await startChild(environment, START_MS).catch((error: Error) => error)
        if (started instanceof Error || started.address === null) {
          if (started instanceof Error) refusal = `${name}: ${started.message}`
          await setTimeout(500)
          continue
        }
        child = started.process
        if (isClosing) return stop(started)
        child.once('exit', (code, sign) => {
          if (isArmed) armedEnds++
          if (!isMeant && !isArmed && !isClosing) ownEnds.push(`${name} (${code ?? sign})`)
          isMeant = false
          child = null
          void run()
        })
        return
      }
    }
    await run()
    return {
      role,
      name,
      address: `http://127.0.0.1:${port}`,
      get isRunning() {
        return child !== null
      },
      get armedEnds() {
        return armedEnds
      },
      signal(sign) {
        if (!child) return
        if (sign === 'SIGKILL' || sign === 'SIGTERM') isMeant = true
        child.kill(sign)
      },
      arm(point, after) {
        armed = { CRASH_AT: point, CRASH_AFTER: String(after) }
      },
    }
  }
  for (const n of [1, 2]) for (const role of ['web', 'worker', 'channels'] as const) members.push(await member(role, n))

  const startDatabase = async () => {
    const left = serversIn(directory)
    await waitUntil(() => left.every((pid) => !isAlive(pid)), 5000)
    embedded = await start()
    proxy.retarget(embedded.url)
    await faults.reconnect(database())
  }
  const isUp = () => serversIn(directory).length > 0

  const world: World = {
    members,
    proxy,
    disk,
    faults,
    whatsapp,
    line,
    gateway,
    telegram,
    meta: { current: null },
    mail: { current: null },
    visitors: { current: null },
    metaProxy,
    gateways: new Set(),
    callbacks,
    provider,
    database,
    async restartDatabase(how, downMs) {
      if (how === 'stop') await embedded.stop()
      else signal(mainPid(directory), 'SIGKILL')
      await setTimeout(downMs)
      await startDatabase()
    },
    async freezeDatabase(ms) {
      const pids = serversIn(directory)
      for (const pid of pids) signal(pid, 'SIGSTOP')
      await setTimeout(ms)
      for (const pid of pids) signal(pid, 'SIGCONT')
    },
    ownEnds: () => ownEnds.splice(0),
    async allUp() {
      // A database that found no room for its log has ended by itself.
      if (!isUp()) await startDatabase()
      if (!(await waitUntil(() => members.every((one) => one.isRunning), START_MS)))
        throw new Error(`not running: ${members.filter((one) => !one.isRunning).map((one) => one.name)}; ${refusal}`)
    },
    async close() {
      isClosing = true
      for (const one of members) {
        one.signal('SIGCONT')
        one.signal('SIGKILL')
      }
      await waitUntil(() => members.every((one) => !one.isRunning), 10_000)
      await faults.close().catch(() => {})
      await proxy.close()
      await peer.close()
      await gateway.close()
      await telegram.close()
      await line.close()
      await metaProxy.close()
      await callbacks.close()
      await whatsapp.close()
      await embedded.stop()
      disk.remove()
    },
  }
  return world
}

const mainPid = (directory: string): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
