import { z } from 'zod'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { templateWish } from '#features/ledger/forms.ts'
import { id, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'

const number = z.string().trim().min(1).max(40)

/** To whom a way is looked for: a contact, or a number as it was typed. */
export const reachQuery = z.strictObject({ contactId: id.optional(), number: number.optional() })

/** Who has a number, or a contact, with the channels that reach them, usable ones first. */
export const reached = z.object({
  number: hidden(z.string().nullable(), maskValue),
  /** Null: no contact has the number yet. */
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

/** The contact or number to write to, over which channel, and the template where the window is closed. */
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

/** The name that a client gives to what it sends: a repetition is answered as the first one was. */
export const idFront = z.string().min(8).max(80).optional()

/** Messages to pass on, to one recipient, whose refusal is the answer, or to several, each with an answer of their own. */
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
    /** Why nothing was sent; null when it was. */
    error: z.string().nullable(),
    /** Agent of the recipient's ticket, where that is the reason. */
    username: z.string().nullable(),
    messages: z.array(uuid),
  }),
)
