import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, id, isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { mailForm, noteForm } from './forms.ts'

const whole = z.number().int()

const note = z.object({
  id: whole,
  text: z.string(),
  userId: whole.nullable(),
  userName: z.string().nullable(),
  createdAt: isoTime,
  /** True if the user may delete the note: its author, or a lead. */
  mayRemove: z.boolean(),
})

/** API contract of the team's notes on opportunities. */
export const opportunityNotes = contract(at.opportunityNotes, {
  list: {
    summary: 'As notas de uma oportunidade, da mais nova à mais antiga',
    query: z.object({ cursor: z.string().max(500).optional() }),
    returns: z.object({ data: z.array(note), nextCursor: z.string().nullable() }),
    errors: ['ERR_NO_OPPORTUNITY_FOUND'],
  },
  create: {
    summary: 'Nova nota em uma oportunidade',
    body: noteForm,
    returns: note,
    errors: ['ERR_NO_OPPORTUNITY_FOUND'],
    audit: true,
  },
  mail: {
    summary: 'Enviar um e-mail ao contato de uma oportunidade; o que foi escrito fica como nota dela',
    body: mailForm,
    returns: note,
    errors: ['ERR_MAIL_NOT_CONFIGURED', 'ERR_NO_CONTACT_EMAIL', 'ERR_NO_OPPORTUNITY_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma nota de uma oportunidade: quem a escreveu, e quem coordena',
    params: z.object({ noteId: id }),
    returns: done,
    errors: ['ERR_NO_OPPORTUNITY_NOTE_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    opportunityNotes: typeof opportunityNotes
  }
}
