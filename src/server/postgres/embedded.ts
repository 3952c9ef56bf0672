import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { type Cluster, makeDatabase, openCluster, ownerUrl } from './cluster.ts'
import { isAlive, processesIn, signal, waitUntil, workingDirectory } from './processes.ts'

type Log = { info(message: string): void; error(message: string): void }

/** `sharedBuffers` as PostgreSQL writes it ("256MB"); `onCrash` hears when the server dies without being stopped. */
export type EmbeddedOptions = {
  dataDir: string
  log: Log
  fsync?: boolean
  sharedBuffers?: string
  onCrash?: (error: Error) => void
}

/** `url` connects the owner to the database `guiche`; `adopted` when the server was already running; `stop` ends it. */
export type Embedded = { url: string; adopted: boolean; stop(): Promise<void> }

/** How long a server may recover after a crash before we give up on it. */
const recovery = 10 * 60_000

/**
 * Starts PostgreSQL on `dataDir/postgres`, or takes over the one that a killed product left running there. The server
 * survives a SIGKILL of this process and ends with every other exit. Rejects with a Portuguese sentence.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log } = options
  const cluster = openCluster(dataDir, (account) => findBinaries(dataDir, account), log)
  const left = await findRunning(cluster)
  const server = left ?? (await launch(cluster, options))
  const url = ownerUrl(cluster, server.port)
  await makeDatabase(cluster, server.port)
  log.info(left ? 'PostgreSQL já estava rodando: reaproveitado' : `PostgreSQL embutido na porta ${server.port}`)
  return { url, adopted: left !== undefined, stop: supervise(server.pid, options) }
}

type Server = { pid: number; port: number }

/** Watches over the server until `stop`, and ends it when this process exits on its own. */
function supervise(pid: number, { log, onCrash = crash }: EmbeddedOptions): () => Promise<void> {
  const atExit = () => signal(pid, 'SIGINT')
  const watch = setInterval(() => {
    if (isAlive(pid)) return
    release()
    onCrash(new Error('O PostgreSQL embutido parou de repente; veja postgres.log na pasta de dados.'))
  }, 500).unref()
  const release = () => {
    clearInterval(watch)
    process.off('exit', atExit)
  }
  process.on('exit', atExit)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    release()
    signal(pid, 'SIGINT')
    if (await waitUntil(() => !isAlive(pid), 20_000)) return
    log.error('PostgreSQL não parou em 20 s: encerrado à força, recupera-se no próximo início')
    signal(pid, 'SIGQUIT')
    await waitUntil(() => !isAlive(pid), 10_000)
  }
  return () => {
    stopping ??= stop()
    return stopping
  }
}

function crash(error: Error): never {
  throw error
}

/** The ready server of this data directory, if one lives; afterwards nothing stale is left in the way of a new one. */
async function findRunning(cluster: Cluster): Promise<Server | undefined> {
  const first = readLock(cluster)
  if (first && workingDirectory(first.pid) === cluster.directory && isAlive(first.pid)) {
    const ready = () => readLock(cluster)?.status === 'ready'
    await waitUntil(() => ready() || !isAlive(first.pid), recovery)
    const lock = readLock(cluster)
    if (lock && isAlive(first.pid) && ready()) return { pid: first.pid, port: lock.port }
  }
  // The lock's number may belong to a stranger by now, and workers may outlive a killed server for a moment.
  if (!(await waitUntil(() => processesIn(cluster.directory).length === 0, 3_000))) {
    for (const pid of processesIn(cluster.directory)) signal(pid, 'SIGKILL')
    await waitUntil(() => processesIn(cluster.directory).length === 0, 3_000)
  }
  rmSync(join(cluster.directory, 'postmaster.pid'), { force: true })
  return undefined
}

type Lock = Server & { status: string }

function readLock(cluster: Cluster): Lock | undefined {
  try {
    const lines = readFileSync(join(cluster.directory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' }
  } catch {
    return undefined
  }
}

async function launch(cluster: Cluster, options: EmbeddedOptions): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const child = run(cluster, port, options)
    const exit = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
    const pid = child.pid
    if (pid) {
      const settled = () => readLock(cluster)?.status === 'ready' || !isAlive(pid)
      await waitUntil(settled, recovery)
      if (isAlive(pid)) {
        child.unref()
        return { pid, port }
      }
    }
    await exit
    const reason = lastFatal(cluster)
    // Somebody took the port between our asking and its use.
    if (attempt === 5 || !reason.includes('could not create any TCP/IP sockets')) {
      throw new Error(`O PostgreSQL embutido não iniciou: ${reason}. Veja ${cluster.logFile}.`)
    }
  }
}

function run(cluster: Cluster, port: number, { fsync = true, sharedBuffers = '256MB' }: EmbeddedOptions): ChildProcess {
  const durable = fsync ? 'on' : 'off'
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '.', // in the data directory: private, and ends with it
    max_connections: 200,
    shared_buffers: sharedBuffers,
    max_wal_size: '2GB',
    fsync: durable,
    full_page_writes: durable,
    jit: 'off', // compiling costs more than our short queries
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_error_verbosity: 'terse', // no values of rows, which may be personal data
    log_min_error_statement: 'panic',
    cluster_name: 'guiche',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = openLog(cluster)
  // Its own process group: Ctrl-C reaches us first, and we end it after draining.
  const child = spawn(join(cluster.binaries(), 'bin', 'postgres'), ['-D', '/proc/self/cwd', ...flags], {
    ...cluster.account,
    cwd: cluster.directory,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', output, output],
    detached: true,
  })
  closeSync(output)
  return child
}

function openLog({ logFile }: Cluster): number {
  if (existsSync(logFile) && statSync(logFile).size > 10_000_000) renameSync(logFile, `${logFile}.old`)
  const file = openSync(logFile, 'a', 0o600)
  chmodSync(logFile, 0o600)
  return file
}

function lastFatal({ logFile }: Cluster): string {
  const lines = readFileSync(logFile, 'utf8').split('\n')
  const fatal = lines.filter((line) => /FATAL|PANIC|error/.test(line)).at(-1)
  return (fatal ?? lines.filter(Boolean).at(-1) ?? 'sem mensagem').replace(/^.*?(FATAL|PANIC): +/, '')
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
