import { z } from 'zod'
import { FILE_KINDS } from '#domain/messages/file-limits.ts'

/** Capabilities of a channel and its limits (sizes in bytes, lengths in characters). */
export const channelCapabilities = z.object({
  media: z.boolean(),
  quote: z.boolean(),
  presence: z.boolean(),
  maxTextLength: z.number().int(),
  /** The same in bytes of UTF-8, where the channel counts them. */
  maxTextBytes: z.number().int().nullable(),
  /** Texts go as text messages, so many for each. */
  smsParts: z.boolean(),
  maxFileBytes: z.number().int(),
  /** The files that it carries, by kind: one that is left out is refused. */
  files: z.partialRecord(
    z.enum(FILE_KINDS),
    z.object({
      maxBytes: z.number().int(),
      mimes: z.array(z.string()).readonly().optional(),
      /** False: no text goes with it; else of so many characters at most. */
      caption: z.union([z.literal(false), z.number().int()]).optional(),
      /** Recordings go as voice notes. */
      voice: z.literal(true).optional(),
    }),
  ),
  /** The installation has a program that reads recordings and films of every format. */
  transcodes: z.boolean(),
  windowHours: z.number().nullable(),
  /** Days in which a person may still write who says that they are one. */
  humanAgentDays: z.number().nullable(),
  /** Days in which a public comment can be answered to its writer alone. */
  commentDays: z.number().nullable(),
  /** Whether approved templates can be sent, also while the window is closed. */
  templates: z.boolean(),
  /** There is a chat flow that can attend it. */
  chatbot: z.boolean(),
  /** A voice assistant can call its contact by phone. */
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
  /** The kinds of files that can be let see once; of sounds voice notes alone. */
  viewOnce: z.array(z.enum(FILE_KINDS)).readonly(),
  /** Whether the channel keeps what was said before. */
  history: z.boolean(),
  groups: z.boolean(),
  mentions: z.boolean(),
  /** Its messages are mails: each has a subject, and who gets it. */
  threads: z.boolean(),
})
