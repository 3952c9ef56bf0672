import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
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

/** Installs what package-lock.json asks for, unless it is there; the packages of development stay if they were there. */
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

/** npm writes down what it installed when it has finished; we compare that with the lock, version by version. */
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
export async function build(node) {
  const record = join(root, 'dist', '.inputs')
  const hash = hashInputs((file) => !/(^|\/)server\/|\.test\.tsx?$/.test(file))
  if (existsSync(record) && readFileSync(record, 'utf8') === hash) return
  rmSync(record, { force: true })
  await step('Construindo a interface', async () => {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    for (const config of ['vite.config.ts', 'vite.widget.config.ts']) {
      const env = { ...process.env, NODE_ENV: 'production' }
      const { code, output } = await capture(node, [vite, 'build', '--config', config, '--logLevel', 'warn'], { env })
      if (code !== 0) throw new Error(`${output.trim()}\nA interface não pôde ser construída (${config}).`)
    }
  })
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(record, hash)
}

/**
 * Translates the server's sources into the compile cache (`NODE_COMPILE_CACHE`), unless they are those of the last time:
 * what takes the types out of them keeps 30 MB for as long as its process lives, so that is one that ends.
 */
export async function compile(node, env) {
  const record = join(root, env.NODE_COMPILE_CACHE, '.inputs')
  const hash = hashInputs((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
  if (existsSync(record) && readFileSync(record, 'utf8') === hash) return
  // With a port that is none it loads everything and refuses to begin.
  const start = { env: { ...process.env, ...env, NODE_ENV: 'production', PORT: 'none' } }
  await capture(node, ['src/server/main.ts'], start)
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, hash)
}

function hashInputs(counts) {
  const hash = createHash('sha256')
  const frame = readdirSync(root).filter((file) => /^vite\..*ts$|\.html$|^package.*json$/.test(file))
  const sources = ['src', 'public']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(counts)
  for (const file of [...frame, ...sources].sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
