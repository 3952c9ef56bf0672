import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Disk of database and files; `fill` leaves no byte free, `drain` frees all of it. */
export type Disk = { path: string; isReal: boolean; fill(): void; drain(): void; remove(): void }

const SIZE = '512m'

/** Whether this process may mount: only then there is a disk that can be filled without harm to anybody. */
export function mayMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'guiche-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' })
    execFileSync('umount', [path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

/** Mounts a separate disk (tmpfs) if `isReal`; otherwise makes a folder that cannot be filled. */
export function openDisk(isReal: boolean): Disk {
  const path = mkdtempSync(join(tmpdir(), 'guiche-chaos-'))
  if (isReal) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', path])
  const ballast = join(path, 'ballast')
  return {
    path,
    isReal,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const size of [1_048_576, 4096, 1]) {
          const block = Buffer.alloc(size)
          while (writes(file, block));
        }
      } finally {
        closeSync(file)
      }
    },
    drain: () => rmSync(ballast, { force: true }),
    remove() {
      if (isReal && existsSync(path)) execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function writes(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) > 0
  } catch {
    return false
  }
}
