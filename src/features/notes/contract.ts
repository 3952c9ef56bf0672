import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { sendErrors, sent } from '#features/messages/contract.ts'
import { idFront } from '#features/messages/reach-fields.ts'
import { contract } from '#kit/contract.ts'
import { day, epochMs, id, isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'

const query = pageQuery.extend({
  /** First and last day, in the company's zone. */
  from: day.optional(),
  to: day.optional(),
  /** Id of the author. */
  user: id.optional(),
  ticketId: id.optional(),
  /** Only tickets of this contact. */
  contactId: id.optional(),
})

const written = {
  id: uuid,
  ticketId: z.number().int(),
  contactName: hidden(z.string(), maskName),
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** Time of the note in the conversation. */
  timestamp: epochMs,
  createdAt: isoTime,
}

const note = z.object({
  ...written,
  notes: z.string(),
  isEdited: z.boolean(),
  /** Whether the requesting user may change and delete it: the author, and leads. */
  mayChange: z.boolean(),
})

/** Note in the list, as API responses return it. */
export type NoteRow = z.output<typeof note>

const protocol = z.object({ ...written, protocol: z.string() })

/** Protocol that was sent, as API responses return it. */
export type ProtocolRow = z.output<typeof protocol>

/** API contract of internal notes' list; notes are messages and changed by `messages.change` and `messages.remove`. */
export const ticketNotes = contract(at.ticketNotes, {
  list: {
    summary: 'Notas internas dos atendimentos ao alcance de quem pede, da mais nova à mais antiga',
    query,
    returns: z.object({ ticketNotes: z.array(note), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
})

/** API contract of protocol numbers sent to customers. */
export const ticketProtocols = contract(at.ticketProtocols, {
  list: {
    summary: 'Protocolos enviados nos atendimentos ao alcance de quem pede, do mais novo ao mais antigo',
    query,
    returns: z.object({ ticketProtocols: z.array(protocol), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  send: {
    summary: 'Enviar ao cliente o número do protocolo do atendimento; repetir o mesmo idFront não o envia de novo',
    body: z.strictObject({ ticketId: id, idFront }),
    returns: sent,
    errors: [...sendErrors],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    ticketNotes: typeof ticketNotes
    ticketProtocols: typeof ticketProtocols
  }
}
