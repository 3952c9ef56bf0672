import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { type Cluster, makeDatabase, openCluster, ownerUrl } from './cluster.ts'
import { launch, readLock, recovery, type Server, type Settings } from './launch.ts'
import { isAlive, isServerIn, serversIn, signal, waitUntil } from './processes.ts'

type Log = { info(message: string): void; error(message: string): void }

/**
 * Options of the embedded server; `onCrash` is called when it dies without being stopped; without it that is an uncaught
 * exception.
 */
export type EmbeddedOptions = Settings & { dataDir: string; log: Log; onCrash?: (error: Error) => void }

/**
 * Embedded server: `url` connects the owner to the database `guiche`; `adopted` when the server was already running; `stop`
 * ends it.
 */
export type Embedded = { url: string; adopted: boolean; stop(): Promise<void> }

/**
 * Starts PostgreSQL on `dataDir/postgres`, or takes over the one that a killed product left running there. The server
 * survives a SIGKILL of this process and ends with every other exit. Rejects with a Portuguese sentence.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log } = options
  const cluster = openCluster(dataDir, (account) => findBinaries(dataDir, account), log)
  for (let attempt = 1; ; attempt++) {
    const left = await findRunning(cluster)
    const server = left ?? (await launch(cluster, options))
    try {
      await makeDatabase(cluster, server.port)
    } catch (error) {
      if (!left || attempt === 5) throw error
      continue // it was just about to stop
    }
    log.info(left ? 'PostgreSQL já estava rodando: reaproveitado' : `PostgreSQL embutido na porta ${server.port}`)
    return { url: ownerUrl(cluster, server.port), adopted: left !== undefined, stop: supervise(server, options) }
  }
}

/** Returns the owner's address of the server that a running product has started, without touching it; undefined without one. */
export function findEmbedded(dataDir: string): string | undefined {
  const cluster = openCluster(dataDir, (account) => findBinaries(dataDir, account), { info: () => {} })
  const lock = readLock(cluster)
  return lock && isServerIn(cluster.directory, lock.pid) && lock.status === 'ready'
    ? ownerUrl(cluster, lock.port)
    : undefined
}

/** Watches for the server's death until `stop`, and ends the server when this process exits on its own. */
function supervise({ pid, ended }: Server, { log, onCrash = crash }: EmbeddedOptions): () => Promise<void> {
  const atExit = () => signal(pid, 'SIGINT')
  process.on('exit', atExit)
  let stopping: Promise<void> | undefined
  void ended.then(() => {
    process.off('exit', atExit)
    if (!stopping) onCrash(new Error('O PostgreSQL embutido parou de repente; veja postgres.log na pasta de dados.'))
  })
  const stop = async () => {
    signal(pid, 'SIGTERM') // lets connections that are just closing do so
    if (await waitUntil(() => !isAlive(pid), 300)) return
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

/** Waits for the end of an adopted server, which is not a child process and does not report it. */
function endOf(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(watch)
      resolve()
    }, 250).unref()
  })
}

/** Returns the ready server of this data directory, if one lives; removes stale leftovers that would block a new one. */
async function findRunning(cluster: Cluster): Promise<Server | undefined> {
  const { directory } = cluster
  const pid = readLock(cluster)?.pid ?? 0
  if (isServerIn(directory, pid)) {
    const ready = () => readLock(cluster)?.status === 'ready'
    await waitUntil(() => ready() || !isAlive(pid), recovery)
    const port = readLock(cluster)?.port
    if (port && ready() && isAlive(pid)) return { pid, port, ended: endOf(pid) }
  }
  // The lock's process id may belong to another process by now, and workers may outlive a killed server for a moment.
  if (!(await waitUntil(() => serversIn(directory).length === 0, 3_000))) {
    for (const worker of serversIn(directory)) signal(worker, 'SIGKILL')
    await waitUntil(() => serversIn(directory).length === 0, 3_000)
  }
  rmSync(join(directory, 'postmaster.pid'), { force: true })
  return undefined
}
