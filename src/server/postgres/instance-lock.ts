import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** References to the locks: a garbage-collected connection would release its lock. */
const locks = new Set<DatabaseSync>()

/**
 * Locks `dataDir` for this process, until it calls the returned function or dies: a lock of the kernel (through SQLite,
 * which is built into Node), so none is ever left over. Throws one Portuguese sentence when another process has the lock.
 */
export function lockInstance(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const holder = join(dataDir, 'guiche.pid')
  const file = join(dataDir, 'guiche.lock')
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 300 })
    lock.exec('begin exclusive')
  } catch (error) {
    lock?.close()
    if (!(error instanceof Error)) throw error
    if (!error.message.includes('locked'))
      throw new Error(
        `A trava ${file} não pôde ser usada (${error.message}): inicie o Guichê com o mesmo usuário de antes, ` +
          'num disco local com espaço.',
      )
    throw new Error(
      `O Guichê já está rodando na pasta ${resolve(dataDir)} (processo ${readHolder(holder)}): ` +
        'encerre-o primeiro ou escolha outra pasta com DATA_DIR.',
    )
  }
  locks.add(lock)
  writeFileSync(holder, `${process.pid}\n`)
  return () => {
    if (!locks.delete(lock)) return
    rmSync(holder, { force: true })
    lock.close()
  }
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'desconhecido'
  }
}
