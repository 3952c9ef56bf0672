import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The user that stands for an ordinary one while the tests run as root. */
export const ordinary = { uid: 65534, gid: 65534 }

/** Whether the tests run as root, who can be anybody. */
export const isRoot = process.getuid?.() === 0

// Packages that only the interface, the commands or the tests use, and the big Node that is lent below.
const unused =
  /^node_modules\/(@tabler|@mantine|@fontsource|@tanstack|@rolldown|emoji-picker|vite|lightningcss|react|node-linux)/

/** Copies what the server needs to run from into `folder`, as a clone with its packages would have it. */
export function copyCheckout(folder: string): { folder: string; node: string } {
  mkdirSync(folder, { recursive: true })
  const lock = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')) as Lock
  const packages = Object.keys(lock.packages).filter(
    (path) => !lock.packages[path]?.dev && !unused.test(path) && path.lastIndexOf('node_modules/') === 0,
  )
  for (const path of ['package.json', 'src', 'db', 'dist', ...packages]) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  return { folder, node: reachableNode(folder) }
}

type Lock = { packages: Record<string, { dev?: boolean }> }

function reachableNode(folder: string): string {
  if (!isRoot || spawnSync(process.execPath, ['--version'], { ...ordinary, cwd: '/' }).status === 0)
    return process.execPath
  const copy = join(folder, 'node')
  cpSync(process.execPath, copy)
  return copy
}
