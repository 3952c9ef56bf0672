import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { cache, environment, program } from './program.mjs'
import { capture, root, step } from './steps.mjs'

const wanted = [20, 19]
const runsTypeScript = [22, 18]

/** Ends with a sentence when this Node is too old even to prepare the product. */
export function checkNode() {
  if (atLeast(process.versions.node, wanted)) return
  throw new Error(`O Guichê precisa do Node ${wanted.join('.')} ou mais novo; este é o ${process.versions.node}.`)
}

/** The Node that runs the product: the one in node_modules, else this one if it reads TypeScript. */
export function findNode() {
  const own = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  if (spawnSync(own, ['--version']).status === 0) return own
  if (atLeast(process.versions.node, runsTypeScript)) return process.execPath
  throw new Error(
    `Nesta máquina (${process.platform}-${process.arch}) o Node não vem com os pacotes: ` +
      `instale o Node ${runsTypeScript.join('.')} ou mais novo; este é o ${process.versions.node}.`,
  )
}

function atLeast(version, [major, minor]) {
  const [ours, oursMinor] = version.split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}

/** Installs the packages of package-lock.json unless they are installed; installed development packages remain. */
export async function install({ dev }) {
  const all = dev || hasPackage(installed(), (entry) => entry.dev)
  if (isInstalled(all)) return
  // npm replaces the folder that our own Node may be running from, so it gets the machine's.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', all ? '--include=dev' : '--omit=dev']
  await step('Instalando os pacotes (só na primeira vez, um a dois minutos)', async () => {
    const { code, output } = await capture('npm', ['ci', ...flags], {
      env: { ...process.env, PATH: path.join(delimiter) },
    })
    if (code !== 0) throw new Error(`${output.trim()}\nA instalação dos pacotes falhou.`)
  })
}

/** Whether the packages that npm recorded as installed match the lock, version by version. */
function isInstalled(dev) {
  const there = installed()
  return !hasPackage(readLock('package-lock.json'), (entry, path) => {
    const needed = path && !entry.optional && !entry.link && (dev || !(entry.dev || entry.devOptional))
    return needed && there[path]?.version !== entry.version
  })
}

const installed = () => readLock('node_modules/.package-lock.json')

function readLock(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

const hasPackage = (packages, condition) => Object.entries(packages).some(([path, entry]) => condition(entry, path))

/** Builds the interface and the widget into `dist`, unless their sources are those of the last build. */
export function build(node) {
  const hash = hashInputs(['src', 'public'], (file) => !/(^|\/)server\/|\.test\.tsx?$/.test(file))
  return unlessDone('dist/.inputs', hash, () =>
    step('Construindo a interface', async () => {
      for (const config of ['vite.config.ts', 'vite.widget.config.ts'])
        await runVite(node, config, 'A interface não pôde ser construída')
    }),
  )
}

/** Builds the server into `dist/server` and translates it, unless its sources are those of the last build. */
export const buildServer = (node) =>
  unlessDone('dist/server/.inputs', hashSources(), () =>
    step('Construindo o servidor', async () => {
      await runVite(node, 'vite.server.config.ts', 'O servidor não pôde ser construído')
      await translate(node, ['--import', './dist/server/app.js', ...program])
    }),
  )

/** Translates the server's sources, unless they are those of the last time: tests start parts of them as processes. */
export const compile = (node) =>
  unlessDone(join(cache.NODE_COMPILE_CACHE, '.inputs'), hashSources(), () =>
    translate(node, ['--import', './src/server/app.ts', 'src/server/main.ts']),
  )

async function runVite(node, config, failure) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await capture(node, [vite, 'build', '--config', config, '--logLevel', 'warn'], { env })
  if (code !== 0) throw new Error(`${output.trim()}\n${failure} (${config}).`)
}

/** Fills the compile cache with a process that loads everything, and then exits because its port is invalid. */
const translate = (node, args) => capture(node, args, { env: { ...process.env, ...environment, PORT: 'none' } })

/** Runs `work` unless the file `record` contains this hash from the last run; after a failure it contains none. */
async function unlessDone(record, hash, work) {
  const path = join(root, record)
  if (existsSync(path) && readFileSync(path, 'utf8') === hash) return
  rmSync(path, { force: true })
  await work()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, hash)
}

// The demo is written by what makes rows for tests.
const hashSources = () =>
  hashInputs(['src', 'db', 'test'], (file) => /^(test\/make|(src|db)\/.+)\.ts$/.test(file) && !/\.test\.ts$/.test(file))

function hashInputs(folders, counts) {
  const hash = createHash('sha256')
  const frame = readdirSync(root).filter((file) => /^vite\..*ts$|\.html$|^package.*json$/.test(file))
  const sources = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(counts)
  for (const file of [...frame, ...sources].sort()) hash.update(`${file}\0`).update(contentOf(file))
  return hash.digest('hex')
}

const contents = new Map()

/** A file's bytes, read once: most are asked for by two builds. */
function contentOf(file) {
  if (!contents.has(file)) contents.set(file, readFileSync(join(root, file)))
  return contents.get(file)
}
