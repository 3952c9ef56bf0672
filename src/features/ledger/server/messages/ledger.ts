import { Readable } from 'node:stream'
import { AppError } from '#kit/errors.ts'
import type { Ledger } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import { findConversation, findKnown, findUnanswered, findWithSender } from './queries-ledger.ts'

const UNANSWERED_MS = 2 * 86_400_000

/** Returns the ledger of a connection: look-ups of its messages and conversations, and storage of its files. */
export function ledgerOf(platform: Platform, tenantId: number, connectionId: number): Ledger {
  const { db, storage } = platform
  return {
    known: (ids) => db.read(tenantId, (reader) => findKnown(reader, connectionId, ids)),
    conversation: (key) => db.read(tenantId, (reader) => findConversation(reader, connectionId, key)),
    withSender: (identity, since) =>
      db.read(tenantId, (reader) => findWithSender(reader, connectionId, identity, new Date(since))),
    unanswered: () =>
      db.read(tenantId, (reader) =>
        findUnanswered(reader, connectionId, new Date(platform.now().getTime() - UNANSWERED_MS)),
      ),
    async store({ name, bytes, maxBytes, acceptsPrograms = false }) {
      const options = { name, maxBytes, now: platform.now(), acceptsPrograms }
      const file = await storage.save(tenantId, Readable.from([bytes]), options).catch((error: unknown) => {
        const isRefused = error instanceof AppError && ['ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'].includes(error.code)
        if (!isRefused) throw error
        return null
      })
      if (!file) return null
      try {
        const id = await unit(platform, { tenantId, user: null }, (ctx) => storeUpload(ctx, file))
        return { id, mime: file.mime, size: file.size }
      } finally {
        await storage.discard([file])
      }
    },
  }
}
