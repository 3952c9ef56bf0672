import { z } from 'zod'
import { FILE_KINDS } from '#domain/messages/file-limits.ts'

/** Capabilities of a channel and its limits (sizes in bytes, lengths in characters). */
export const channelCapabilities = z.object({
  media: z.boolean(),
  quote: z.boolean(),
  presence: z.boolean(),
  maxTextLength: z.number().int(),
  /** The same in bytes of UTF-8, if the channel limits them. */
  maxTextBytes: z.number().int().nullable(),
  /** Whether texts are sent as SMS, charged per part. */
  smsParts: z.boolean(),
  maxFileBytes: z.number().int(),
  /** Limits of the supported files by kind; missing kinds are refused. */
  files: z.partialRecord(
    z.enum(FILE_KINDS),
    z.object({
      maxBytes: z.number().int(),
      mimes: z.array(z.string()).readonly().optional(),
      /** Maximum length of a caption, in characters; false: no caption. */
      caption: z.union([z.literal(false), z.number().int()]).optional(),
      /** Whether recordings are sent as voice notes. */
      voice: z.literal(true).optional(),
    }),
  ),
  /** Whether the installation has a program that reads recordings and films of every format. */
  transcodes: z.boolean(),
  windowHours: z.number().nullable(),
  /** Days after the contact's last message in which a person may still write, marked as such. */
  humanAgentDays: z.number().nullable(),
  /** Days in which a public comment can be answered in private to its author. */
  commentDays: z.number().nullable(),
  /** Whether approved templates can be sent, also while the window is closed. */
  templates: z.boolean(),
  /** Whether a chat flow exists that can attend it. */
  chatbot: z.boolean(),
  /** Whether a voice assistant can call the contact by phone. */
  phoneCalls: z.boolean(),
  react: z.boolean(),
  forward: z.boolean(),
  contact: z.boolean(),
  location: z.boolean(),
  editMinutes: z.number().nullable(),
  revokeHours: z.number().nullable(),
  buttons: z.object({ max: z.number().int(), chars: z.number().int() }).nullable(),
  /** Rows of a list in all, and characters of its parts. */
  list: z
    .object({
      ...{ rows: z.number().int(), title: z.number().int(), description: z.number().int() },
      ...{ button: z.number().int(), section: z.number().int() },
    })
    .nullable(),
  link: z.object({ chars: z.number().int() }).nullable(),
  form: z.object({ chars: z.number().int() }).nullable(),
  locationRequest: z.boolean(),
  poll: z.object({ max: z.number().int(), chars: z.number().int() }).nullable(),
  /** Kinds of files that can be sent as view once; `audio` for voice notes only. */
  viewOnce: z.array(z.enum(FILE_KINDS)).readonly(),
  /** Whether the channel stores earlier messages. */
  history: z.boolean(),
  groups: z.boolean(),
  mentions: z.boolean(),
  /** Whether its messages are mails, with subject and recipients. */
  threads: z.boolean(),
})
