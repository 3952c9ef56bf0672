import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Account } from './binaries.ts'

/** Database directory on disk: `directory` is a real path, `account` the system account that runs it, `binaries` its programs. */
export type Cluster = {
  directory: string
  logFile: string
  password: string
  account: Account
  binaries: () => string
}

const nobody = 65534
const socketPathLimit = 108 // bytes, of the kernel
const name = 'guiche'

/**
 * Opens `dataDir/postgres` and creates it at the first start with a random password (`dataDir/postgres.password`,
 * 0600). As root, it runs as the user "nobody", because PostgreSQL refuses root; it stays in `dataDir` even if that
 * user may not enter it: programs start inside it and use `/proc/self/cwd`.
 */
export function openCluster(
  dataDir: string,
  findBinaries: (account: Account) => string,
  log: { info(message: string): void },
): Cluster {
  if (process.platform !== 'linux') {
    throw new Error('O PostgreSQL embutido só roda em Linux. Indique um servidor PostgreSQL com DATABASE_URL.')
  }
  mkdirSync(dataDir, { recursive: true })
  const directory = join(realpathSync(dataDir), 'postgres')
  const account = accountFor(directory)
  let found: string | undefined
  const binaries = () => {
    found ??= findBinaries(account)
    return found
  }
  const passwordFile = join(dataDir, 'postgres.password')
  const cluster = { directory, logFile: join(dataDir, 'postgres.log'), account, binaries, password: '' }
  if (!existsSync(directory)) {
    log.info('Criando o banco de dados')
    initialize(cluster, passwordFile)
  }
  return { ...cluster, directory: realpathSync(directory), password: readFileSync(passwordFile, 'utf8').trim() }
}

function accountFor(directory: string): Account {
  const us = process.getuid?.()
  const found = existsSync(directory) ? statSync(directory) : undefined
  // A copy that lost owners and modes; PostgreSQL's own message would not help.
  if (found && us === 0 && found.uid === 0)
    throw new Error(
      `A pasta ${directory} pertence ao root, que o PostgreSQL não aceita: devolva-a com chown -R ${nobody}:${nobody} ${directory}.`,
    )
  if (found && (found.mode & 0o027) !== 0)
    throw new Error(`A pasta ${directory} está aberta a outros usuários: feche-a com chmod -R go= ${directory}.`)
  const owner = found ?? { uid: us || nobody, gid: nobody }
  if (us === 0) return { uid: owner.uid, gid: owner.gid }
  if (owner.uid === us) return {}
  throw new Error(`A pasta ${directory} pertence a outro usuário: inicie o Guichê com o mesmo usuário de antes.`)
}

/**
 * Initializes the cluster aside and moves it in place, so that an interrupted start leaves nothing behind that looks
 * finished.
 */
function initialize(cluster: Cluster, passwordFile: string): void {
  const { uid, gid } = cluster.account
  const give = (path: string) => uid !== undefined && gid !== undefined && chownSync(path, uid, gid)
  const half = `${cluster.directory}.new`
  rmSync(half, { recursive: true, force: true })
  rmSync(passwordFile, { force: true })
  mkdirSync(half, { mode: 0o700 })
  give(half)
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  give(passwordFile)
  const password = openSync(passwordFile, 'r')
  const login = ['--username=postgres', '--auth=scram-sha-256', '--pwfile=/proc/self/fd/3']
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--text-search-config=simple']
  const { status, stderr, error } = spawnSync(
    join(cluster.binaries(), 'bin', 'initdb'),
    ['--pgdata=/proc/self/cwd', ...login, ...text, '--no-instructions'],
    { ...cluster.account, cwd: half, env: {}, stdio: ['ignore', 'ignore', 'pipe', password] },
  )
  closeSync(password)
  if (status !== 0) {
    rmSync(half, { recursive: true, force: true })
    throw new Error(`O banco de dados não pôde ser criado: ${error?.message ?? stderr.toString().trim()}`)
  }
  renameSync(half, cluster.directory)
}

/**
 * Returns the connection string of the owner, who may create databases and roles but is no superuser (as with an external
 * server). Its `host` parameter names the server's socket, a quarter faster than the port, where the path is short enough.
 */
export function ownerUrl({ directory, password }: Cluster, port: number): string {
  const url = new URL(`postgres://${name}:${password}@127.0.0.1:${port}/${name}`)
  const socket = join(directory, `.s.PGSQL.${port}`)
  if (Buffer.byteLength(socket) < socketPathLimit) url.searchParams.set('host', directory)
  return url.href
}

/** Creates the owner and its database unless they exist. */
export async function makeDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
  })
  client.on('error', () => {}) // the query that it breaks rejects
  await client.connect()
  try {
    const owner = await client.query('select from pg_roles where rolname = $1', [name])
    if (owner.rowCount === 0) {
      await client.query(`create role ${name} login createdb createrole password '${cluster.password}'`)
      await client.query(`grant pg_monitor, pg_signal_backend, pg_checkpoint to ${name}`)
    }
    const database = await client.query('select from pg_database where datname = $1', [name])
    if (database.rowCount === 0) await client.query(`create database ${name} owner ${name}`)
  } finally {
    await client.end()
  }
}
