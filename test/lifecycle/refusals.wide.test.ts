import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Embedded, startEmbedded } from '#server/postgres/embedded.ts'
import { startDatabasePeer } from '#test/peers/postgres.ts'
import { isRoot } from './checkout.ts'
import { type Product, startProduct } from './product.ts'

const folder = join(import.meta.dirname, '..', '..')
let base: string
let server: Embedded
let admin: pg.Client

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'guiche-refusals-'))
  const quiet = { info: () => {}, error: console.error }
  server = await startEmbedded({ dataDir: join(base, 'server'), log: quiet, fsync: false, sharedBuffers: '64MB' })
  // The cluster's superuser has the owner's password.
  admin = new pg.Client({ connectionString: as('postgres').replace(/\/guiche\?/, '/postgres?') })
  await admin.connect()
})

const started: Product[] = []
const ends: (() => void)[] = []

afterAll(async () => {
  await Promise.all(started.map((product) => product.end('SIGTERM')))
  for (const end of ends) end()
  await admin.end()
  await server.stop()
  rmSync(base, { recursive: true, force: true })
})

/** The server's address for another user or database. */
function as(user: string, change: { password?: string; database?: string; host?: string; port?: number } = {}): string {
  const url = new URL(server.url)
  url.username = user
  if (change.password) url.password = change.password
  if (change.database) url.pathname = `/${change.database}`
  if (change.host || change.port) url.searchParams.delete('host')
  if (change.host) url.hostname = change.host
  if (change.port) url.port = String(change.port)
  return url.href
}

function start(env: Record<string, string>, dataDir = mkdtempSync(join(base, 'data-'))): Product {
  const product = startProduct({ node: process.execPath, folder, dataDir, env })
  started.push(product)
  return product
}

/** Expects the product to exit with code 1 and this sentence as its last output, without a stack trace. */
async function expectRefusal(product: Product, sentence: string | RegExp): Promise<void> {
  expect([await product.ended, product.output()]).toEqual([1, expect.any(String)])
  const said = product.output().trim().split('\n').at(-1)?.split('O Guichê não pôde iniciar: ')
  expect(said).toEqual(['', typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)])
  expect(product.output()).not.toMatch(/^\s+at |Error:|node:internal/m)
}

describe('settings', () => {
  test.concurrent('every wrong variable is named with what it takes', async () => {
    await expectRefusal(
      start({ PORT: '70000', LOG_LEVEL: 'loud' }),
      'Corrija as variáveis de ambiente: PORT deve ser um número de 0 a 65535; LOG_LEVEL deve ser fatal, error, warn, info, debug ou silent.',
    )
  })

  test.concurrent('a key file that is not there', async () => {
    const file = join(base, 'nowhere.key')
    await expectRefusal(
      start({ SECRET_KEY_FILE: file }),
      `A chave mestra em ${file} não pôde ser lida (ENOENT): confira o caminho e os direitos do arquivo.`,
    )
  })

  test('a taken port, and an address of another machine', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const dataDir = mkdtempSync(join(base, 'data-'))
    await expectRefusal(
      start({ PORT: String(port) }, dataDir),
      `A porta ${port} de 127.0.0.1 já está em uso: encerre o outro programa ou escolha outra com PORT.`,
    )
    await expectRefusal(
      start({ HOST: '203.0.113.1' }, dataDir),
      'O endereço "203.0.113.1" não é desta máquina: indique um dela com HOST.',
    )
  })
})

describe('the data folder', () => {
  test.concurrent('a file in its place, and in the place of a folder above it', async () => {
    const file = join(base, 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'data')])
      await expectRefusal(
        start({}, path),
        `Onde deveria estar a pasta ${path} há um arquivo: tire-o de lá ou escolha outra pasta com DATA_DIR.`,
      )
  })

  /** Mounts a separate disk, which only root can do. */
  function disk(name: string, options: string): string {
    const path = join(base, name)
    mkdirSync(path)
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'guiche-test', path]).status).toBe(0)
    onTestFinished(() => void spawnSync('umount', ['-l', path]))
    return path
  }
  const mounts = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0

  test.skipIf(!mounts)('a disk that can only be read', async () => {
    const path = disk('readonly', 'ro')
    await expectRefusal(
      start({}, path),
      `O disco de ${path} só pode ser lido: torne-o gravável ou escolha outra pasta com DATA_DIR.`,
    )
  })

  test.skipIf(!mounts)('a disk without space, from the beginning or while the database is made', async () => {
    for (const size of ['4k', '20m']) {
      const path = disk(`full-${size}`, `size=${size}`)
      await expectRefusal(start({}, path), `Não há espaço no disco da pasta ${path}: libere espaço e inicie de novo.`)
    }
  })
})

describe('the database', () => {
  test.concurrent('an address where nobody answers, nobody speaks, or somebody else speaks', async () => {
    const [silent, other] = await Promise.all([startDatabasePeer('silent'), startDatabasePeer('other')])
    ends.push(silent.close, other.close)
    const at = (port: number) => ({ DATABASE_URL: as('guiche', { port }) })
    const none = await startDatabasePeer('silent')
    none.close()
    await expectRefusal(
      start(at(none.port)),
      `O servidor de DATABASE_URL (127.0.0.1:${none.port}) não atende: confira endereço e porta, e se o PostgreSQL está no ar.`,
    )
    await expectRefusal(
      start(at(silent.port)),
      `O servidor de DATABASE_URL (127.0.0.1:${silent.port}) não respondeu em 5 s: confira o endereço, a rede e o firewall.`,
    )
    await expectRefusal(
      start(at(other.port)),
      /^O servidor de DATABASE_URL \(127\.0\.0\.1:\d+\) não respondeu como um PostgreSQL \(.*\): confira endereço e porta\.$/,
    )
  })

  test.concurrent('a host that does not exist, a wrong password, a database that does not exist', async () => {
    await expectRefusal(
      start({ DATABASE_URL: as('guiche', { host: 'banco.invalid' }) }),
      'O servidor "banco.invalid" de DATABASE_URL não foi encontrado: confira o nome e a rede.',
    )
    const { port } = new URL(server.url)
    await expectRefusal(
      start({ DATABASE_URL: as('guiche', { password: 'errada', port: Number(port) }) }),
      `O servidor de DATABASE_URL (127.0.0.1:${port}) recusou o usuário "guiche": confira usuário e senha, e o pg_hba.conf do servidor.`,
    )
    await expectRefusal(
      start({ DATABASE_URL: as('guiche', { database: 'nenhum' }) }),
      `O banco "nenhum" de DATABASE_URL não existe: crie-o com create database "nenhum" owner "guiche" encoding 'UTF8'.`,
    )
  })

  test.concurrent('a server of an old version', async () => {
    const old = await startDatabasePeer({ version: '140012' })
    ends.push(old.close)
    await expectRefusal(
      start({ DATABASE_URL: as('guiche', { port: old.port }) }),
      'O servidor de DATABASE_URL é o PostgreSQL 14: o Guichê precisa do 15 ou mais novo.',
    )
  })

  test('an owner without the rights, and roles that are somebody else’s', async () => {
    await admin.query(`create role plain login password 'p'`)
    await admin.query('create database company owner plain')
    const env = { DATABASE_URL: as('plain', { password: 'p', database: 'company' }), DB_ROLE_PREFIX: 'alpha' }
    await expectRefusal(
      start({ ...env, DATABASE_URL: as('plain', { password: 'p' }) }),
      'O usuário "plain" de DATABASE_URL não é o dono do banco "guiche": indique o dono, ou mude-o com alter database "guiche" owner to "plain".',
    )
    await expectRefusal(
      start(env),
      'O usuário "plain" de DATABASE_URL não pode criar papéis, e alpha_app, alpha_platform, alpha_worker e alpha_search não existem: dê-lhe esse direito com alter role "plain" createrole, ' +
        'ou peça os papéis ao administrador e indique APP_DATABASE_URL, PLATFORM_DATABASE_URL e WORKER_DATABASE_URL.',
    )
    for (const role of ['app', 'platform', 'worker', 'search'])
      await admin.query(`create role alpha_${role} login password 'r'`)
    await expectRefusal(
      start(env),
      /^O usuário "plain" de DATABASE_URL não administra alpha_worker, alpha_search, alpha_app e alpha_platform: /,
    )
  })

  test('the roles of an administrator serve where the owner may create none', async () => {
    await admin.query(`create role modest login password 'p'`)
    await admin.query('create database modest owner modest')
    const url = (role: string) => as(`beta_${role}`, { password: 'r', database: 'modest' })
    for (const role of ['app', 'platform', 'worker', 'search'])
      await admin.query(`create role beta_${role} login password 'r'`)
    const env = {
      DATABASE_URL: as('modest', { password: 'p', database: 'modest' }),
      DB_ROLE_PREFIX: 'beta',
      APP_DATABASE_URL: url('app'),
      PLATFORM_DATABASE_URL: url('platform'),
      WORKER_DATABASE_URL: url('worker'),
    }
    await expectRefusal(
      start(env),
      'O usuário "modest" de DATABASE_URL não administra beta_worker e beta_search: se são de outra instalação neste servidor, escolha outro nome com DB_ROLE_PREFIX; ' +
        'se são desta, dê-lhe createrole e grant "beta_worker", "beta_search" to "modest" with admin option.',
    )
    await admin.query('grant beta_worker, beta_search to modest with admin option')
    await expectRefusal(
      start({ ...env, APP_DATABASE_URL: env.DATABASE_URL }),
      'O usuário "modest" de APP_DATABASE_URL é dono do banco, superusuário ou tem BYPASSRLS: indique um papel comum, que as políticas de linha alcancem.',
    )
    expect((await fetch(`${await start(env).address}/ready`)).status).toBe(200)
  })
})

describe('the master key', () => {
  test('a folder without its key, or with another one, is refused and changes nothing; with its own it starts again', async () => {
    const dataDir = mkdtempSync(join(base, 'data-'))
    const first = start({}, dataDir)
    await first.address
    await first.end('SIGTERM')
    const key = join(dataDir, 'secret.key')
    const other = start({ SECRET_KEY: 'ab'.repeat(32) }, dataDir)
    await expectRefusal(
      other,
      /^Os dados são de outra chave mestra \([0-9a-f]{8}; a atual é [0-9a-f]{8}\): traga de volta a chave anterior em DATA_DIR\/secret\.key, SECRET_KEY ou SECRET_KEY_FILE\.$/,
    )
    const kept = join(base, 'kept.key')
    spawnSync('mv', [key, kept])
    await expectRefusal(
      start({}, dataDir),
      `A pasta ${dataDir} tem um banco de dados, mas não a chave mestra dele: traga de volta o arquivo secret.key, ou indique a chave com SECRET_KEY ou SECRET_KEY_FILE.`,
    )
    const again = start({ SECRET_KEY_FILE: kept }, dataDir)
    expect((await fetch(`${await again.address}/ready`)).status).toBe(200)
    await again.end('SIGTERM')
  })

  test('a folder that was copied without its owners and modes', async () => {
    const dataDir = mkdtempSync(join(base, 'data-'))
    const postgres = join(dataDir, 'postgres')
    mkdirSync(postgres, { mode: 0o755 })
    const file = join(base, 'copied.key')
    writeFileSync(file, 'ab'.repeat(32))
    if (isRoot) {
      await expectRefusal(
        start({ SECRET_KEY_FILE: file }, dataDir),
        `A pasta ${postgres} pertence ao root, que o PostgreSQL não aceita: devolva-a com chown -R 65534:65534 ${postgres}.`,
      )
      chownSync(postgres, 65534, 65534)
    }
    await expectRefusal(
      start({ SECRET_KEY_FILE: file }, dataDir),
      `A pasta ${postgres} está aberta a outros usuários: feche-a com chmod -R go= ${postgres}.`,
    )
  })

  test('a process with another key does not change the passwords of the roles that the others use', async () => {
    await admin.query('create database shared owner guiche')
    const env = { DATABASE_URL: as('guiche', { database: 'shared' }), DB_ROLE_PREFIX: 'gamma' }
    const right = start({ ...env, SECRET_KEY: '01'.repeat(32) })
    await right.address
    const passwords = async () =>
      (await admin.query("select rolname, rolpassword from pg_authid where rolname like 'gamma%' order by 1")).rows
    const before = await passwords()
    const wrong = start({ ...env, SECRET_KEY: '02'.repeat(32) })
    expect(await wrong.ended).toBe(1)
    expect(wrong.output()).toContain('outra chave mestra')
    expect(await passwords()).toEqual(before)
  })
})
