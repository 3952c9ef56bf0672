import { z } from 'zod'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { templateWish } from '#features/ledger/forms.ts'
import { id, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'

const number = z.string().trim().min(1).max(40)

/** Query for channels that reach a contact, or a number as typed. */
export const reachQuery = z.strictObject({ contactId: id.optional(), number: number.optional() })

/** Schema of a contact or number with the channels that reach it, usable ones first. */
export const reached = z.object({
  number: hidden(z.string().nullable(), maskValue),
  /** Null if no contact has the number yet. */
  contact: z.object({ id: z.number().int(), name: hidden(z.string(), maskName) }).nullable(),
  ways: z.array(
    z.object({
      id: z.number().int(),
      type: z.string(),
      name: z.string(),
      obstacle: z.enum(['forbidden', 'away', 'unreached']).nullable(),
      ticket: z.object({ id: z.number().int(), username: z.string().nullable(), isVisible: z.boolean() }).nullable(),
    }),
  ),
})

/** Person with a number, or a contact, with every channel that reaches them. */
export type Reached = z.output<typeof reached>

/** Body that starts a conversation: contact or number, connection, and a template where the window is closed. */
export const beginning = z
  .strictObject({
    contactId: id.optional(),
    number: number.optional(),
    whatsappId: id,
    template: templateWish.optional(),
  })
  .refine((body) => (body.contactId === undefined) !== (body.number === undefined), {
    path: ['number'],
    error: 'Informe o contato ou o número.',
  })

/** Client id of a sent message; a repeated request gets the response of the first one. */
export const idFront = z.string().min(8).max(80).optional()

/** Body that forwards messages: to one recipient, where a refusal fails the request, or to several, each with its own result. */
export const passingOn = z
  .strictObject({
    messages: z.array(uuid).min(1).max(10),
    contact: id.optional(),
    contacts: z.array(id).min(1).max(20).optional(),
    whatsappId: id.optional(),
    idFront,
  })
  .refine((body) => (body.contact === undefined) !== (body.contacts === undefined), {
    path: ['contact'],
    error: 'Escolha para quem encaminhar.',
  })

/** Result for each recipient. */
export const recipients = z.array(
  z.object({
    contact: z.number().int(),
    ticketId: z.number().int().nullable(),
    /** Reason why nothing was sent; null on success. */
    error: z.string().nullable(),
    /** Agent of the recipient's ticket, where that is the reason. */
    username: z.string().nullable(),
    messages: z.array(uuid),
  }),
)
