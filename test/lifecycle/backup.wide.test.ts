import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serversIn, signal } from '#server/postgres/processes.ts'
import { type Product, startProduct } from './product.ts'

const root = join(import.meta.dirname, '..', '..')
let base: string
let dataDir: string
let key: string
let running: Product
let backup: string

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'guiche-backups-'))
  dataDir = join(base, 'source')
  key = join(base, 'kept.key')
  running = start(dataDir, { DEMO: '1' })
  await running.address
  cpSync(join(dataDir, 'secret.key'), key)
}, 120_000)

afterAll(async () => {
  await Promise.all(started.map((product) => product.end('SIGTERM')))
  for (const name of readdirSync(base))
    for (const pid of serversIn(join(base, name, 'postgres'))) signal(pid, 'SIGKILL')
  rmSync(base, { recursive: true, force: true })
})

const started: Product[] = []

function start(folder: string, env: Record<string, string> = {}): Product {
  const product = startProduct({ node: process.execPath, folder: root, dataDir: folder, env })
  started.push(product)
  return product
}

const folder = (): string => mkdtempSync(join(base, 'folder-'))

/** Starts a command as npm does, in a separate process group. */
function command(flags: string[], env: Record<string, string>): ChildProcess & { said(): string } {
  const child = spawn(process.execPath, ['scripts/start.mjs', ...flags], {
    cwd: root,
    env: { PATH: process.env.PATH, INIT_CWD: base, ...env },
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return Object.assign(child, { said: () => output })
}

async function run(flags: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = command(flags, env)
  const [code] = (await once(child, 'close')) as [number]
  expect(child.said()).not.toMatch(/^\s+at |node:internal/m)
  return { code, output: child.said() }
}

const restore = (into: string, from = backup, env: Record<string, string> = { SECRET_KEY_FILE: key }) =>
  run(['--restore', '--from', from], { DATA_DIR: into, ...env })

/** Kills a command with SIGKILL once `isTime` accepts the state of its folder. */
async function killWhen(child: ChildProcess, watched: string, isTime: () => boolean): Promise<void> {
  const closed = once(child, 'close')
  const kill = () => isTime() && child.pid && signal(-child.pid, 'SIGKILL')
  const watcher = watch(watched, kill)
  kill()
  await closed
  watcher.close()
  expect(child.exitCode).toBeNull()
}

async function expectDemo(product: Product): Promise<void> {
  const address = await product.address
  const login = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@demo.test', password: 'Demo!2026' }),
  })
  expect(login.status).toBe(200)
}

test('a backup of a running product is one private file, and restores into a folder of its own that starts', async () => {
  const out = join(base, 'out')
  const { code, output } = await run(['--backup', '--out', 'out'], { DATA_DIR: dataDir })
  const [name, ...others] = readdirSync(out)
  backup = join(out, name!)
  expect([code, others]).toEqual([0, []])
  expect(name).toMatch(/^guiche-\d{8}T\d{6}Z\.backup$/)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect(output).toMatch(
    new RegExp(
      `^Backup feito em [\\d,]+ s: ${backup} \\([\\d,]+ MB\\)\\n {2}\\d+ tabelas com [\\d.]+ linhas, \\d+ arquivos com [\\d,]+ MB\\.\\n {2}A chave mestra \\([0-9a-f]{8}\\) não está nele: guarde-a à parte\\.\\n$`,
    ),
  )
  expect((await fetch(`${await running.address}/ready`)).status).toBe(200)

  const target = folder()
  cpSync(key, join(target, 'secret.key'))
  const restored = await restore(target, backup, {})
  expect([restored.code, restored.output]).toEqual([
    0,
    expect.stringMatching(
      /^Backup de \S+ restaurado e conferido: \d+ tabelas com [\d.]+ linhas, \d+ arquivos\. Inicie com npm start\.\n$/,
    ),
  ])
  expect(serversIn(join(target, 'postgres'))).toEqual([])
  await expectDemo(start(target))
})

test('without the key, with another one or into a filled folder it is refused with one sentence', async () => {
  const target = folder()
  expect(await restore(target, backup, {})).toEqual({
    code: 1,
    output: `A chave mestra do backup não está em ${target}: ponha lá o arquivo secret.key, ou indique-a com SECRET_KEY_FILE ou SECRET_KEY.\n`,
  })
  expect(await restore(target, backup, { SECRET_KEY: 'ab'.repeat(32) })).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^O backup foi feito com outra chave mestra \([0-9a-f]{8}; a atual é [0-9a-f]{8}\): [^\n]+\.\n$/,
    ),
  })
  expect(readdirSync(target)).toEqual([])
  expect(await restore(dataDir)).toEqual({
    code: 1,
    output: `A pasta ${dataDir} não está vazia: restaure numa pasta nova, em que só a chave mestra (secret.key) pode estar.\n`,
  })
  expect(await run(['--restore'], { DATA_DIR: target })).toEqual({
    code: 1,
    output: 'Diga que arquivo: npm run restore -- --from ARQUIVO\n',
  })
  expect(await run(['--backup', '--out', key], { DATA_DIR: dataDir })).toEqual({
    code: 1,
    output: `O backup não pôde ser escrito em ${key} (EEXIST): confira o espaço e os direitos da pasta.\n`,
  })
})

test('a restore that was killed is no installation, and is repeated', async () => {
  const target = folder()
  // While the database is made, and while rows and files come in.
  for (const begun of ['postgres.password', 'files']) {
    const isTime = () => existsSync(join(target, 'restore.unfinished')) && existsSync(join(target, begun))
    rmSync(join(target, begun), { recursive: true, force: true })
    await killWhen(command(['--restore', '--from', backup], { DATA_DIR: target, SECRET_KEY_FILE: key }), target, isTime)
  }
  const refused = start(target, { SECRET_KEY_FILE: key })
  expect(await refused.ended).toBe(1)
  expect(refused.output().trim()).toBe(
    'O Guichê não pôde iniciar: Uma restauração não terminou aqui: repita npm run restore com o mesmo backup, ou recomece em outro lugar.',
  )
  expect(await restore(target)).toMatchObject({ code: 0 })
  await expectDemo(start(target, { SECRET_KEY_FILE: key }))
}, 120_000)

test('a stopped product is backed up too; one that is killed leaves nothing that looks like a backup', async () => {
  expect(await running.end('SIGTERM')).toBe(0)
  const out = folder()
  const isTime = () => readdirSync(out).length > 0
  await killWhen(command(['--backup', '--out', out], { DATA_DIR: dataDir }), out, isTime)
  expect(readdirSync(out).filter((name) => name.endsWith('.backup'))).toEqual([])
  mkdirSync(join(out, 'mine'))
  writeFileSync(join(out, 'mine.part'), '')
  expect(await run(['--backup', '--out', out], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  expect(readdirSync(out)).toEqual([expect.stringMatching(/^guiche-\d{8}T\d{6}Z\.backup$/), 'mine', 'mine.part'])
  expect(serversIn(join(dataDir, 'postgres'))).toEqual([])
  await expectDemo(start(dataDir))
})
