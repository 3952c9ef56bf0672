import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { MESSAGE_TYPES } from '#domain/messages/types.ts'
import { uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { mailDraft } from './forms.ts'

/** Schema of a message quoted by a message or a draft; its author is the contact, or a colleague. */
export const quotation = hidden(
  z.object({
    id: uuid,
    body: z.string(),
    mediaType: z.enum(MESSAGE_TYPES),
    mediaName: z.string().nullable(),
    fromMe: z.boolean(),
    author: z.string(),
  }),
  (one) => (one.fromMe ? one : { ...one, author: maskName(one.author) }),
)

/** Schema of a person's draft in a ticket; `revision` counts its versions, 0: never written. */
export const ticketDraft = z.object({
  body: z.string(),
  isNote: z.boolean(),
  quotedMsg: quotation.nullable(),
  /** Subject and recipients of a mail, if edited. */
  mail: mailDraft.nullable(),
  revision: z.number().int(),
})
