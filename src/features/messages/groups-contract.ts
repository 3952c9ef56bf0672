import { z } from 'zod'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { contract } from '#kit/contract.ts'
import { id, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { sendErrors, sent } from './contract.ts'
import * as at from './groups-addresses.ts'
import { idFront } from './reach-fields.ts'

const participant = z.object({
  /** Id on the channel. */
  identity: hidden(z.string(), maskValue),
  /** Id in this system. */
  userId: z.number().int(),
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  isAdmin: z.boolean(),
})

/** Group member as the browser gets it. */
export type Participant = z.output<typeof participant>

const message = z.strictObject({
  ticketId: id,
  body: z.string().trim().min(1, 'Escreva a mensagem.').max(65_536),
  quotedMsgId: uuid.nullish(),
  idFront,
})
const errors = [
  ...sendErrors,
  'ERR_NOT_A_GROUP',
  'ERR_MESSAGE_TOO_LONG',
  'ERR_QUOTE_NOT_CARRIED',
  'ERR_FETCH_WAPP_MSG',
] as const

/** API contract of groups: members, and messages that mention them. */
export const groups = contract(at.groups, {
  participants: {
    summary: 'Quem está no grupo; primeiro quem o administra',
    mode: 'read',
    body: z.strictObject({ ticketId: id }),
    returns: z.object({ participants: z.array(participant) }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_CHANNEL_CANNOT', 'ERR_NOT_A_GROUP'],
  },
  mention: {
    summary:
      'Enviar ao grupo mencionando quem for escolhido (identity ou userId); quem não está no texto vai à frente dele',
    body: message.extend({
      participants: z
        .array(z.union([z.string().min(1).max(300), id]))
        .min(1, 'Escolha quem mencionar.')
        .max(2000),
    }),
    returns: sent,
    errors,
  },
  mentionAll: { summary: 'Enviar ao grupo mencionando todos, à vista (@todos)', body: message, returns: sent, errors },
  ghost: {
    summary: 'Enviar ao grupo mencionando todos sem que se veja no texto',
    body: message,
    returns: sent,
    errors,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    groups: typeof groups
  }
}
