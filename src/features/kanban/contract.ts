import { z } from 'zod'
import { contactRow } from '#features/contacts/contract.ts'
import { contract } from '#kit/contract.ts'
import { epochMs, id, many } from '#kit/fields.ts'
import * as at from './board-addresses.ts'

const whole = z.number().int()

const card = contactRow
  .pick({ id: true, name: true, number: true, profilePicUrl: true, channels: true, tags: true, kanban: true })
  .extend({
    /** Order key within the stage, compared as text. Null without a stage, where the newest contact comes first. */
    order: z.string().nullable(),
    /** Newest live ticket that the user sees. */
    ticket: z
      .object({
        id: whole,
        status: z.enum(['open', 'pending']),
        username: z.string().nullable(),
        unreadMessages: whole,
        /** Time since which the customer waits for an answer, in epoch ms. */
        waitingSince: epochMs.nullable(),
      })
      .nullable(),
  })

/** Contact as a card of the board. */
export type Card = z.output<typeof card>

const count = { count: whole, countIsCapped: z.boolean() }
const page = {
  contacts: z.array(card),
  ...count,
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
}

/** Filters of every column. */
const narrowing = {
  searchParam: z.string().trim().max(200).optional(),
  wallet: many(id),
}
const filter = { ...narrowing, tag: many(id) }
const cursor = z.string().max(500).optional()

/** API contract of the board: contacts by stage or by tag, fifty per column and page. */
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
      /** Number of tags in use. */
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
