import { spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { isAlive, waitUntil } from './processes.ts'

/** Maximum recovery time of a server after a crash, in milliseconds. */
export const recovery = 10 * 60_000

/** Running server: its process, its port on 127.0.0.1, and the promise of its end. */
export type Server = { pid: number; port: number; ended: Promise<void> }

/**
 * Options of the server. `sharedBuffers` as PostgreSQL writes it ("256MB"); without `fsync` a crash of the machine may lose
 * everything; `port` reuses an earlier port instead of any free one; `maxConnections` is the number of clients at once.
 */
export type Settings = { fsync?: boolean; sharedBuffers?: string; port?: number; maxConnections?: number }

type Lock = { pid: number; port: number; status: string }

/** Reads the server's lock file: `status` is "ready" when it accepts connections. */
export function readLock(cluster: Cluster): Lock | undefined {
  try {
    const lines = readFileSync(join(cluster.directory, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' }
  } catch {
    return undefined
  }
}

/**
 * Starts a server on a free port and waits until it is ready; rejects with the server's last log lines in a Portuguese
 * sentence.
 */
export async function launch(cluster: Cluster, settings: Settings): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = settings.port ?? (await freePort())
    const child = run(cluster, port, settings)
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
    const pid = child.pid
    if (pid) {
      const isReady = () => readLock(cluster)?.status === 'ready' || !isAlive(pid)
      await waitUntil(isReady, recovery)
      if (isAlive(pid)) {
        child.unref()
        return { pid, port, ended }
      }
    }
    await ended
    const reason = lastFatal(cluster)
    // Another process took the port in the meantime.
    if (attempt === 5 || !reason.includes('could not create any TCP/IP sockets')) {
      throw new Error(`O PostgreSQL embutido não iniciou: ${reason}. Veja ${cluster.logFile}.`)
    }
  }
}

function run(
  cluster: Cluster,
  port: number,
  { fsync = true, sharedBuffers = '256MB', maxConnections = 200 }: Settings,
) {
  const durable = fsync ? 'on' : 'off'
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '.', // in the data directory: private, and ends with it
    max_connections: maxConnections,
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
