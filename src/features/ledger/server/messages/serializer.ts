import type { z } from 'zod'
import { withMailLabel } from '#domain/messages/by-mail.ts'
import { mentionedNames } from '#domain/messages/group-mentions.ts'
import { ackOf } from '#domain/messages/status.ts'
import { fileUrl } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { quotation } from '../../draft-fields.ts'
import type { messageRow } from '../../message-rows.ts'
import type { MessageRecord } from './queries.ts'

/** Converts a message into a quotation of it. */
export const quotationOf = (row: MessageRecord): z.input<typeof quotation> => ({
  id: row.id,
  body: row.body,
  mediaType: row.media_type,
  mediaName: row.file_name,
  fromMe: row.from_me,
  author: (row.from_me ? row.user_name : row.contact_name) ?? '',
})

/** Converts a message into its wire format. */
export function serializeMessage(platform: Platform, tenantId: number, row: MessageRecord): z.input<typeof messageRow> {
  const file = row.file_id && !row.is_deleted ? row : null
  const url = file ? fileUrl(platform, tenantId, file.file_id!, file.file_name!) : null
  return {
    id: row.id,
    seq: row.seq,
    ticketId: row.ticket_id,
    contactId: row.contact_id,
    idFront: row.id_front,
    // Revoked messages stay readable for the team in grey, unless the connection erases them.
    body: row.body,
    mediaType: row.media_type,
    mediaName: file?.file_name ?? null,
    mediaUrl: url,
    file: file && fileOf(file, url!),
    data: withMailLabel(row.data) ?? null,
    fromMe: row.from_me,
    isNote: row.is_note,
    userId: row.user_id,
    userName: row.user_name,
    status: row.status,
    ack: ackOf(row.status),
    errorCode: row.error_code,
    sendType: row.send_type,
    timestamp: row.timestamp.getTime(),
    createdAt: row.created_at,
    scheduleDate: row.schedule_date,
    quotedMsgId: row.quoted_id,
    quotedMsg: row.quoted_id
      ? {
          id: row.quoted_id,
          body: row.quoted_body ?? '',
          mediaType: row.quoted_media_type ?? 'text',
          mediaName: row.quoted_file_name,
          fromMe: row.quoted_from_me ?? false,
          author: (row.quoted_from_me ? row.quoted_user_name : (row.quoted_sender?.name ?? row.contact_name)) ?? '',
        }
      : null,
    isDeleted: row.is_deleted,
    isLate: row.is_late,
    edition: row.edition,
    reaction: row.reaction,
    reactionFromMe: row.reaction_from_me,
    acts: [...(row.acts ?? [])],
    sendAt: row.send_at,
    syncTime: row.sync_time,
    sender: row.sender && { id: row.sender.id, name: row.sender.name, number: row.sender.number },
    mentions: row.mentions && { people: mentionedNames(row.mentions), everyone: row.mentions.everyone },
    albumId: row.album?.id ?? null,
    linkCard: row.is_deleted ? null : cardOf(platform, tenantId, row),
  }
}

const fileOf = (row: MessageRecord, url: string) => ({
  id: row.file_id!,
  url,
  name: row.file_name!,
  mime: row.file_mime!,
  size: row.file_size!,
  width: row.file_width,
  height: row.file_height,
  durationMs: row.file_duration_ms,
  waveform: row.file_waveform,
})

function cardOf(platform: Platform, tenantId: number, { link_card: card }: MessageRecord) {
  if (!card) return null
  const { url, title, description, site, file_id, file_name } = card
  const picture = file_id && file_name ? fileUrl(platform, tenantId, file_id, file_name) : null
  return { url, title, description, site, picture }
}
