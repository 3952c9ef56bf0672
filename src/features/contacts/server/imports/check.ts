import { dayIn } from '#domain/calendar/local-time.ts'
import type { Platform } from '#server/platform.ts'
import { listFields } from '../queries-fields.ts'
import { type CheckAsks, checkFile } from './check-file.ts'
import { checkInThread } from './check-thread.ts'
import { findImport, insertBlock, insertRejected, removeLines, saveImport } from './queries.ts'
import { findPersons, listTagIds, readKnown } from './queries-known.ts'
import type { Turn } from './turn.ts'

/** File size up to which the check runs on the main thread: starting a worker would take longer. */
const SHORT_BYTES = 128 * 1024

/** Decides the outcome of each line of a file; writes nothing else, so that it can restart at any time. */
export async function check({ platform, tenantId, found, block }: Turn): Promise<string | undefined> {
  const { id, kind, path, options } = found
  if (!path || kind === 'contacts' || kind === 'groups')
    return 'O arquivo desta importação não está mais aqui. Envie-o de novo.'
  const none = { total: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
  const begun = await block(async (ctx) => {
    await removeLines(ctx.db, id)
    await saveImport(ctx.db, id, { ...none, done_row: 0, done: 0, letters: null })
  })
  if (!begun) return undefined
  const asks: CheckAsks = {
    persons: (keys) =>
      platform.db.read(tenantId, async (db) => {
        const persons = await findPersons(db, keys)
        return { persons, known: await readKnown(db, [...new Set(persons.values())], options.onlyFor) }
      }),
    save: ({ good, refused, columns, ...counted }) =>
      block(async (ctx, now) => {
        if (refused) await insertRejected(ctx.db, id, refused)
        if (good) await insertBlock(ctx.db, id, { ...good, made: [] })
        await saveImport(ctx.db, id, {
          ...{ total: now.total + counted.total, created: now.created + counted.created },
          ...{ updated: now.updated + counted.updated, unchanged: now.unchanged + counted.unchanged },
          rejected: now.rejected + counted.rejected,
          ...(columns ? { columns } : {}),
        })
      }),
    saveLetters: (letters) => block((ctx) => saveImport(ctx.db, id, { letters })),
    saveColumns: (columns) => block((ctx) => saveImport(ctx.db, id, { columns })),
  }
  const file = {
    ...{ kind, path: platform.storage.locate(path), columns: found.columns, options },
    own: await platform.db.read(tenantId, listFields),
    today: await todayOf(platform, tenantId),
    tagIds: await platform.db.read(tenantId, listTagIds),
  }
  const isShort = kind !== 'xlsx' && (await platform.storage.size(path)) < SHORT_BYTES
  if (isShort) return checkFile(file, asks)
  const isOn = async () => (await platform.db.read(tenantId, (db) => findImport(db, id)))?.status === 'running'
  return checkInThread(file, asks, { isOn })
}

async function todayOf(platform: Platform, tenantId: number): Promise<string> {
  const { timezone } = await platform.settings.get(String(tenantId))
  return dayIn(timezone, platform.now().getTime())
}
