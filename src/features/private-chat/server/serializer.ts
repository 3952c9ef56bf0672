import type { z } from 'zod'
import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import type { ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import type { privateMessage } from '../contract.ts'
import type { PrivateRow } from './queries.ts'
import type { ListedRow } from './queries-lists.ts'

/** Serializes a message, with a signed URL of its file. */
export function serializeMessage(
  { platform, tenantId }: Pick<ReadCtx, 'platform' | 'tenantId'>,
  { sentAt, conversation: _, ...row }: PrivateRow,
): z.input<typeof privateMessage> {
  const file = row.file && { ...row.file, url: fileUrl(platform, tenantId, row.file.id, row.file.name) }
  return { ...row, file, mediaName: file?.name ?? null, mediaUrl: file?.url ?? null, tenantId, timestamp: sentAt }
}

/** Serializes a conversation for lists. */
export const serializeListed = (row: ListedRow, userId: number) => ({
  id: row.id,
  isOnline: row.isOnline,
  unreadCount: row.unreadCount,
  timestamp: row.lastMs || null,
  lastMessage: row.last && previewFor(row.last, userId),
})

function previewFor(
  { text, mediaType, mediaName, isDeleted, senderId }: NonNullable<ListedRow['last']>,
  userId: number,
) {
  const preview = previewOf({ type: mediaType, body: plainText(text), mediaName, isDeleted })
  return senderId === userId ? `Você: ${preview}` : preview
}
