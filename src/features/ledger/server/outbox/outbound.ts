import { FORWARDED, HUMAN_AGENT, PRIVATE_ANSWER } from '#domain/messages/types.ts'
import type { Outbound } from '#providers/channels/port.ts'
import type { MessageRecord } from '../messages/queries.ts'

/** Converts a stored message for its channel. */
export const outbound = (tenantId: number, message: MessageRecord): Outbound => ({
  tenantId,
  connectionId: message.connection_id,
  conversationKey: message.conversation_key,
  messageId: message.id,
  type: message.media_type,
  body: message.body,
  file: message.file_id
    ? {
        id: message.file_id,
        name: message.file_name!,
        mime: message.file_mime!,
        size: message.file_size!,
        path: message.file_path!,
        durationMs: message.file_duration_ms,
        waveform: message.file_waveform,
      }
    : null,
  quotedProviderId: message.quoted_provider_id,
  quoted: message.quoted_provider_id
    ? {
        ...{ providerId: message.quoted_provider_id, fromMe: message.quoted_from_me ?? false },
        ...{ body: message.quoted_body ?? '', author: message.quoted_sender?.identity ?? null },
      }
    : null,
  data: message.data,
  isForwarded: message.send_type === FORWARDED,
  album: message.album && {
    id: message.album.id,
    images: message.album.images ?? 0,
    videos: message.album.videos ?? 0,
  },
  mentions: message.mentions,
  userName: message.user_name,
  timestamp: message.timestamp.getTime(),
  isAutomatic: message.user_id === null,
  isHumanAgent: message.send_type === HUMAN_AGENT,
  commentId: message.send_type === PRIVATE_ANSWER ? message.quoted_provider_id : null,
})
