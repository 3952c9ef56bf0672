import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import type { MessageType } from '#domain/messages/types.ts'

/** Stored phone. */
export type PhoneRow = {
  id: number
  connection_id: number
  type: string
  name: string
  number: string
  faults: unknown
  /** Status of its connection. */
  status: string
  /** Whether it writes to a number that is linked at the local WhatsApp. */
  is_linked: boolean
  is_group: boolean
  members: readonly { id: number; name: string; number: string; isAdmin: boolean }[]
  description: string
  only_admins_write: boolean
  /** Whether the company's number is an admin. */
  is_own_admin: boolean
}

/** Author of a message within a group. */
export type LabSender = { readonly id: number; readonly name: string; readonly number: string }

/** Stored message of a phone, with its file. */
export type LabMessageRow = {
  id: string
  /** Provider id, under which the channel knows it. */
  provider_id: string
  seq: number
  phone_id: number
  from_phone: boolean
  media_type: MessageType
  body: string
  status: string
  timestamp: Date
  quoted_id: string | null
  data: unknown
  sender: LabSender | null
  mentions: MessageMentions | null
  is_forwarded: boolean
  is_edited: boolean
  is_deleted: boolean
  reaction: string | null
  team_reaction: string | null
  file_id: string | null
  file_name: string | null
  file_path: string | null
  file_mime: string | null
  file_size: number | null
  file_width: number | null
  file_height: number | null
  file_duration_ms: number | null
  file_waveform: readonly number[] | null
}
