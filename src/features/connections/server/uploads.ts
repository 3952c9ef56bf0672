import type { Uploads } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import { findUpload, forgetUpload, saveUpload } from './queries-uploads.ts'

const DAY_MS = 86_400_000

/** Returns the cache of files uploaded to a connection's provider; failures are logged, and the file is uploaded again. */
export function uploadsOf(platform: Platform, tenantId: number, connectionId: number): Uploads {
  const quietly = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((err: unknown) => {
      platform.log.warn({ err, tenantId, connectionId }, 'what a provider holds of files was not noted')
      return null
    })
  return {
    find: (content) =>
      quietly(platform.db.read(tenantId, (db) => findUpload(db, connectionId, content, platform.now()))),
    async save(content, providerId, days) {
      const until = new Date(platform.now().getTime() + days * DAY_MS)
      const row = { connectionId, content, providerId, until }
      await quietly(platform.db.write(tenantId, (db) => saveUpload(db, row, platform.now())))
    },
    forget: async (content) =>
      void (await quietly(platform.db.write(tenantId, (db) => forgetUpload(db, connectionId, content)))),
  }
}
