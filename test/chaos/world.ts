import type { ChildProcess } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Embedded, startEmbedded } from '#server/postgres/embedded.ts'
import { isAlive, serversIn, signal, waitUntil } from '#server/postgres/processes.ts'
import { type PeerMessage, startChild, startPeer, stop } from '#test/crash/processes.ts'
import { type Faults, installFaults } from '#test/faults.ts'
import { startTcpProxy, type TcpProxy } from '#test/peers/tcp-proxy.ts'
import { createDatabase } from '#test/product.ts'
import { type Disk, openDisk } from './disk.ts'

/** A process of the product that is started anew whenever it ends, as an operator's supervisor would. */
export type Member = {
  readonly role: 'web' | 'worker'
  readonly name: string
  readonly address: string
  signal(name: NodeJS.Signals): void
  readonly isRunning: boolean
}

/** An installation with two web and two worker processes on one PostgreSQL that can be stopped, frozen and killed. */
export type World = {
  readonly members: readonly Member[]
  readonly proxy: TcpProxy
  readonly disk: Disk
  readonly faults: Faults
  readonly provider: { held: Record<string, string[]>; onTaken: (message: PeerMessage) => void }
  /** The owner's address, past the proxy; another one after the database was started anew. */
  database(): string
  /** Ends the database (SIGKILL without a word, or as an administrator does) and starts it again after a while. */
  restartDatabase(how: 'kill' | 'stop', downMs: number): Promise<void>
  freezeDatabase(ms: number): Promise<void>
  /** How often a process ended that nobody had ended. */
  ownEnds(): string[]
  /** Everything runs, the database included. */
  allUp(): Promise<void>
  close(): Promise<void>
}

const quiet = { info: () => {}, error: () => {} }

/** Starts an installation; its database and files lie on a disk that can be filled where `isReal`. */
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
  let isClosing = false
  const ownEnds: string[] = []

  async function member(role: Member['role'], n: number): Promise<Member> {
    const port = await freePort()
    let child: ChildProcess | null = null
    let isMeant = false
    const name = `${role} ${n}`
    const run = async (): Promise<void> => {
      while (!isClosing) {
        const started = await startChild({
          DATABASE_URL: proxy.through(database()),
          DATA_DIR: disk.path,
          PEER_URL: peer.url,
          ROLES: role,
          PORT: String(port),
        }).catch((error: Error) => error)
        if (started instanceof Error || started.address === null) {
          await setTimeout(500)
          continue
        }
        child = started.process
        if (isClosing) return stop(started)
        child.once('exit', (code, sign) => {
          if (!isMeant && !isClosing) ownEnds.push(`${name} (${code ?? sign})`)
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
      signal(sign) {
        if (!child) return
        if (sign === 'SIGKILL' || sign === 'SIGTERM') isMeant = true
        child.kill(sign)
      },
    }
  }
  const members: Member[] = []
  for (const n of [1, 2]) for (const role of ['web', 'worker'] as const) members.push(await member(role, n))

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
      if (!(await waitUntil(() => members.every((one) => one.isRunning), 60_000)))
        throw new Error(`not running: ${members.filter((one) => !one.isRunning).map((one) => one.name)}`)
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
