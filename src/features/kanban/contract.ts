import { z } from 'zod'
import { contactRow } from '#features/contacts/contract.ts'
import { contract } from '#kit/contract.ts'
import { epochMs, id, many } from '#kit/fields.ts'
import * as at from './board-addresses.ts'

const whole = z.number().int()

const card = contactRow
  .pick({ id: true, name: true, number: true, profilePicUrl: true, channels: true, tags: true, kanban: true })
  .extend({
    /** The place in the stage: keys compare as texts. Without a stage null; there the newest contact comes first. */
    order: z.string().nullable(),
    /** The newest live ticket that the person sees. */
    ticket: z
      .object({
        id: whole,
        status: z.enum(['open', 'pending']),
        username: z.string().nullable(),
        unreadMessages: whole,
        /** Since when the customer waits for an answer, in epoch ms. */
        waitingSince: epochMs.nullable(),
      })
      .nullable(),
  })

/** A contact as the board shows it. */
export type Card = z.output<typeof card>

const count = { count: whole, countIsCapped: z.boolean() }
const page = {
  contacts: z.array(card),
  ...count,
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
}

/** What narrows every column. */
const narrowing = {
  searchParam: z.string().trim().max(200).optional(),
  wallet: many(id),
}
const filter = { ...narrowing, tag: many(id) }
const cursor = z.string().max(500).optional()

/** The board: contacts by stage or by tag, fifty of each column at a time. */
export const board = contract(at.board, {
  get: {
    summary: 'O painel: de cada etapa os primeiros cinquenta contatos; a primeira coluna são os sem etapa',
    query: z.object(filter),
    returns: z.object({
      columns: z.array(z.object({ kanban: whole.nullable(), name: z.string(), color: z.string(), ...page })),
    }),
  },
  column: {
    summary: 'Mais contatos de uma etapa; sem dizer qual, dos sem etapa',
    query: z.object({ ...filter, kanban: id.optional(), cursor }),
    returns: z.object(page),
  },
  cards: {
    summary: 'Alguns cartões como estão agora, e quantos há em cada etapa; os que o filtro deixa fora não vêm',
    query: z.object({ ...filter, ids: many(id) }),
    returns: z.object({
      contacts: z.array(card),
      columns: z.array(z.object({ kanban: whole.nullable(), ...count })),
    }),
  },
  tags: {
    summary: 'O painel por etiqueta: as escolhidas, ou as primeiras vinte por nome',
    query: z.object(filter),
    returns: z.object({
      columns: z.array(z.object({ id: whole, tag: z.string(), color: z.string(), ...page })),
      /** How many tags are in use. */
      total: whole,
    }),
  },
  tagColumn: {
    summary: 'Mais contatos de uma etiqueta',
    query: z.object({ ...narrowing, tag: id, cursor }),
    returns: z.object(page),
  },
  replaceStage: {
    summary: 'Mover os contatos de uma etapa para o fim de outra, ou para fora do painel, e excluí-la',
    mode: 'slow',
    body: z.strictObject({ kanban: id.nullable() }),
    returns: z.object({ moved: whole }),
    errors: ['ERR_NO_KANBAN_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    board: typeof board
  }
}
