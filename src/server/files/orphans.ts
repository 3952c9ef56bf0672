import { partAfter } from '#domain/present.ts'
import { unit } from '../context.ts'
import type { Platform } from '../platform.ts'
import { deleteOrphan, findOrphans, findPaths, isNamed, lockContent } from './queries.ts'

const BATCH = 100

/**
 * Deletes a company's unreferenced files that were created before a time, from disk and table, one after the other; returns
 * their number. An upload of the same content waits meanwhile, and is kept.
 */
export async function removeOrphans(
  platform: Platform,
  tenantId: number,
  { before, signal }: { before: Date; signal?: AbortSignal | undefined },
): Promise<number> {
  let removed = 0
  for (;;) {
    const found = await platform.db.read(tenantId, (db) => findOrphans(db, before, BATCH))
    const gone = removed
    for (const { id, path } of found) if (await remove(platform, tenantId, id, path, before)) removed++
    // A file that is referenced again is not found again; a file that cannot be removed is not retried without end.
    if (found.length < BATCH || removed === gone || signal?.aborted) return removed
  }
}

/**
 * Deletes some of a company's files immediately, if they are no longer referenced; files that cannot be deleted are left to
 * the next upkeep.
 */
export async function removeFiles(platform: Platform, tenantId: number, ids: readonly string[]): Promise<void> {
  const before = new Date(platform.now().getTime() + 60_000)
  const found = await platform.db.read(tenantId, (db) => findPaths(db, ids))
  for (const { id, path } of found) await remove(platform, tenantId, id, path, before)
}

// The disk first: after a crash in between the row remains, and the next round finds it.
function remove(platform: Platform, tenantId: number, id: string, path: string, before: Date): Promise<boolean> {
  return unit(platform, { tenantId, user: null }, async ({ db }) => {
    await lockContent(db, path, 'remove')
    if (!(await deleteOrphan(db, id, before))) return false
    const isShared = await isNamed(db, path, partAfter(path, '/'))
    await platform.checkpoint('before orphan removal')
    if (!isShared) await platform.storage.remove(path)
    await platform.checkpoint('before orphan commit')
    return true
  })
}
