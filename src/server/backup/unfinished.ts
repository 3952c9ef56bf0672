import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Marker in `DATA_DIR` while a backup is being restored. */
export const MARKER_FILE = 'restore.unfinished'

/** Marker in an external database while a backup is being restored. */
export const UNFINISHED_TABLE = 'restore_unfinished'

const UNFINISHED =
  'Uma restauração não terminou aqui: repita npm run restore com o mesmo backup, ou recomece em outro lugar.'

/** Throws a Portuguese sentence in a folder whose restore has not ended. */
export function refuseUnfinishedFolder(dataDir: string): void {
  if (existsSync(join(dataDir, MARKER_FILE))) throw new Error(UNFINISHED)
}

/** Throws a Portuguese sentence for a database whose restore has not ended (it contains the marker table). */
export function refuseUnfinishedTables(tables: readonly string[]): void {
  if (tables.includes(UNFINISHED_TABLE)) throw new Error(UNFINISHED)
}
