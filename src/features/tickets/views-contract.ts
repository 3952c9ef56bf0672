import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, text } from '#kit/fields.ts'
import { ticketFilter } from './contract.ts'
import * as at from './views-addresses.ts'

const { pageNumber: _, cursor: __, searchParam: ___, count: ____, ...fields } = ticketFilter.shape

/** Filter of a view: the attendance list's query without page and search. */
export const viewFilter = z.strictObject(fields)

/** Audience of a view: one person, the people of a queue, or the whole company. */
export const viewAudience = z.enum(['person', 'queue', 'company'])

const name = text(40, 1)
const queueId = id.nullable()

const view = z.object({
  id: z.number().int(),
  name: z.string(),
  filter: viewFilter,
  audience: viewAudience,
  queueId: z.number().int().nullable(),
  /** Name of the queue that the view is shared with. */
  queue: z.string().nullable(),
  /** True for one's own views, and for shared ones if the user is a lead. */
  mayChange: z.boolean(),
  /** Kinds of referenced records that no longer exist. */
  missing: z.array(z.enum(['queue', 'tag', 'connection', 'user'])),
})

/** Saved view as the browser gets it. */
export type TicketView = z.output<typeof view>

/** API contract of saved views: those that the user sees, shared ones first, each group in its stored order. */
export const ticketViews = contract(at.ticketViews, {
  list: {
    summary: 'Visões salvas da lista de atendimentos que quem pede pode usar',
    returns: z.object({ views: z.array(view) }),
  },
  counts: {
    summary: 'Quantos atendimentos cada visão tem para quem pede, contados até 100',
    returns: z.object({ counts: z.array(z.object({ id: z.number().int(), count: z.number().int() })) }),
  },
  create: {
    summary: 'Salvar uma visão: própria ou, para quem supervisiona, de uma fila ou da empresa',
    body: z.strictObject({
      name,
      filter: viewFilter,
      audience: viewAudience.default('person'),
      queueId: queueId.optional(),
    }),
    returns: view,
    errors: ['ERR_NO_PERMISSION', 'ERR_NO_QUEUE_FOUND', 'ERR_TOO_MANY_VIEWS'],
    audit: true,
  },
  update: {
    summary: 'Mudar nome, filtro ou alcance de uma visão; o que não vem no pedido fica como está',
    body: z.strictObject({
      name: name.optional(),
      filter: viewFilter.optional(),
      audience: viewAudience.optional(),
      queueId: queueId.optional(),
    }),
    returns: view,
    errors: ['ERR_NO_VIEW_FOUND', 'ERR_NO_PERMISSION', 'ERR_NO_QUEUE_FOUND'],
    audit: true,
  },
  order: {
    summary: 'Pôr visões na ordem dada',
    body: z.strictObject({ ids: z.array(id).min(1).max(200) }),
    returns: done,
    errors: ['ERR_NO_VIEW_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma visão; por um dia ela pode voltar',
    returns: done,
    errors: ['ERR_NO_VIEW_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  restore: {
    summary: 'Desfazer a exclusão de uma visão',
    returns: view,
    errors: ['ERR_NO_VIEW_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
})

/** Event for those who see a view: it was created, changed or removed; the list holds the details. */
export const ticketViewEvents = events(at.ticketViewEvents, {
  changed: z.object({ id: z.number().int() }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    ticketViews: typeof ticketViews
  }
  interface Events {
    ticketViewEvents: typeof ticketViewEvents
  }
}
