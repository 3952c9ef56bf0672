import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const cache = join(root, '.cache', 'chromium')

// Only what a test needs; the unpacked package's own list would switch off web security and site isolation.
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Launch options of Playwright. */
export type Launch = { executablePath: string; args: string[]; env: Record<string, string> }

/**
 * The browser to test with: `CHROMIUM_PATH`, else one that is installed, else the one of the npm package, unpacked once
 * into `.cache/chromium` with the system libraries and fonts that it needs.
 */
export async function findChromium(): Promise<Launch> {
  const installed =
    process.env.CHROMIUM_PATH ?? onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
  return installed ? { executablePath: installed, args, env: inherited() } : packagedChromium()
}

/** Returns the browser of the npm package, with its own libraries and fonts, which renders identically on every machine. */
export async function packagedChromium(): Promise<Launch> {
  await unpack()
  const env = {
    ...inherited(),
    LD_LIBRARY_PATH: [join(cache, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
    FONTCONFIG_PATH: join(cache, 'fonts'),
  }
  return { executablePath: join(cache, 'chromium'), args, env }
}

const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]))

// The package's own list names only folders that do not exist here; the machine's fonts add what it lacks (emoji).
const fontList = `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(cache, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(cache, 'fonts-cache')}</cachedir>
</fontconfig>
`

function onPath(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** The package unpacks into the temporary folder, named by TMPDIR; several processes may do it at once. */
async function unpack(): Promise<void> {
  if (existsSync(cache)) return
  const half = `${cache}.${process.pid}`
  mkdirSync(half, { recursive: true })
  const { inflate } = await import('@sparticuz/chromium')
  const bin = join(root, 'node_modules', '@sparticuz', 'chromium', 'bin')
  const before = process.env.TMPDIR
  process.env.TMPDIR = half
  const parts = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'].map((name) =>
    inflate(join(bin, name)),
  )
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  await Promise.all(parts)
  writeFileSync(join(half, 'fonts', 'fonts.conf'), fontList)
  try {
    renameSync(half, cache)
  } catch {
    rmSync(half, { recursive: true })
  }
}
