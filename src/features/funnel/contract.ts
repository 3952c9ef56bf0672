import { z } from 'zod'
import { maskName, maskValue, withhold } from '#domain/access/restricted.ts'
import { MOST_NAMED } from '#domain/bulk/limits.ts'
import { ALERTS } from '#domain/funnel/alerts.ts'
import { HISTORY_KINDS, STATUSES } from '#domain/funnel/card.ts'
import { ORDERS } from '#domain/funnel/orders.ts'
import { PERIODS } from '#domain/funnel/periods.ts'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { day, done, id, isoTime, many, text } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { fieldAsked, fieldValue } from '#kit/own-fields.ts'
import * as at from './addresses.ts'
import { money, opportunityChanges, opportunityForm } from './forms.ts'

const whole = z.number().int()
const nextCursor = z.string().nullable()

const card = z.object({
  id: whole,
  name: z.string(),
  pipelineId: whole,
  stageId: whole,
  contactId: whole,
  contact: z.object({
    id: whole,
    name: hidden(z.string(), maskName),
    number: hidden(z.string().nullable(), maskValue),
    email: hidden(z.string(), maskValue),
    profilePicUrl: hidden(z.string().nullable(), withhold),
  }),
  responsibleId: whole.nullable(),
  responsibleName: z.string().nullable(),
  closingForecast: z.string().nullable(),
  /** Decimal text. */
  value: z.string(),
  description: z.string(),
  status: z.enum(STATUSES),
  /** Reason of a loss; empty otherwise. */
  reason: z.string(),
  /** Sort key within the column; keys compare as strings. */
  order: z.string(),
  stageSince: isoTime,
  movedAt: isoTime,
  createdAt: isoTime,
  updatedAt: isoTime,
  /** Next open task of the card that the user may see. */
  nextTask: z.object({ id: whole, name: z.string(), limitDate: z.string() }).nullable(),
  alerts: z.array(z.enum(ALERTS)),
  /** Values of custom fields by field id, without empty ones. */
  fields: z.record(z.string(), fieldValue),
})

/** Opportunity as the browser gets it. */
export type Opportunity = z.output<typeof card>

/** Filters of lists and board. */
const narrowing = {
  searchTerm: z.string().trim().max(200).optional(),
  stageId: many(id),
  /** Owners; 'none': unassigned. */
  responsibleId: many(z.union([z.literal('none'), id])),
  status: many(z.enum(STATUSES)),
  valorMin: money.optional(),
  valorMax: money.optional(),
  /** Days of creation. */
  startDate: day.optional(),
  endDate: day.optional(),
  periodo: z.enum(PERIODS).optional(),
  /** Days of the closing forecast. */
  forecastFrom: day.optional(),
  forecastTo: day.optional(),
  /** Days on which it was won or lost. */
  closedFrom: day.optional(),
  closedTo: day.optional(),
  alert: z.enum(ALERTS).optional(),
  /** Custom fields: `12:value` (several match any of them; a text matches by prefix), `12:from..to` for numbers and days. */
  field: many(fieldAsked),
}

/** Actions for many opportunities at once. */
export const CARD_ACTIONS = ['move', 'win', 'lose', 'open', 'owner'] as const

/** Action of a bulk operation. */
export type CardAction = (typeof CARD_ACTIONS)[number]

const bulkArgs = z.strictObject({
  /** move: the target stage. */
  stageId: id.optional(),
  /** lose: the reason. */
  reason: text(300).optional(),
  /** owner: the new owner; null: unassigned. */
  userId: id.nullable().optional(),
})

/** Arguments of a bulk action. */
export type CardArgs = z.output<typeof bulkArgs>

const limit = z.coerce.number<number | string>().int().min(1).max(100)
const cursor = z.string().max(500).optional()
const ordered = { ordenacao: z.enum(ORDERS).optional() }

const count = {
  count: whole,
  /** Total value, decimal text. */
  value: z.string(),
  /** Percentage of the cards that left the stage for a later one; null while none has left. */
  advances: whole.nullable(),
}
const total = z.object({ count: whole, value: z.string() })
const page = { cards: z.array(card), hasMore: z.boolean(), nextCursor }

const figures = z.object({
  /** Total value of open cards. */
  open: z.string(),
  /** Expected value of this month: value by chance. */
  expected: z.string(),
  /** Percentage of ended cards that were won; null while none has ended. */
  winRate: whole.nullable(),
  /** Average value of won cards; null without any. */
  average: z.string().nullable(),
})

/** Figures above the board as the browser gets them. */
export type Figures = z.output<typeof figures>

/** API contract of opportunities: board, lists and single cards. */
export const opportunities = contract(at.opportunities, {
  list: {
    summary: 'Oportunidades que a pessoa vê; página e limite, ou o cursor da resposta anterior',
    query: z.object({
      ...narrowing,
      ...ordered,
      pipelineId: id.optional(),
      page: z.coerce.number<number | string>().int().min(1).default(1),
      limit: limit.default(20),
      cursor,
      orderBy: z.enum(['value', 'createdAt', 'closingForecast']).optional(),
      orderDirection: z.enum(['asc', 'desc']).optional(),
    }),
    returns: z.object({ data: z.array(card), total: whole, nextCursor }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  board: {
    summary: 'O painel de um funil (sem `pipelineId`, o primeiro): de cada etapa quantas, quanto valem e as primeiras',
    sampled: true,
    query: z.object({ ...narrowing, ...ordered, pipelineId: id.optional(), limit: limit.default(20) }),
    returns: z.object({
      stages: z.array(z.object({ id: whole, name: z.string(), color: z.string(), ...count, ...page })),
      figures,
    }),
    errors: ['ERR_NO_PIPELINE_FOUND'],
  },
  column: {
    summary: 'Mais oportunidades de uma etapa',
    sampled: true,
    query: z.object({ ...narrowing, ...ordered, stageId: id, limit: limit.default(20), cursor }),
    returns: z.object({ ...page, ...count }),
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND'],
  },
  cards: {
    summary:
      'Alguns cartões de um funil (sem `pipelineId`, do primeiro) como estão agora, e as somas das etapas; sem os que o filtro deixa fora',
    sampled: true,
    query: z.object({ ...narrowing, ...ordered, pipelineId: id.optional(), ids: many(id) }),
    returns: z.object({ cards: z.array(card), stages: z.array(z.object({ id: whole, ...count })), figures }),
    errors: ['ERR_NO_PIPELINE_FOUND'],
  },
  dashboard: {
    summary: 'Os números e gráficos das oportunidades que a pessoa vê; cada divisão soma o todo',
    query: z.object({ ...narrowing, pipelineId: id.optional() }),
    returns: z.object({
      created: total,
      open: total,
      won: total,
      lost: total,
      /** Percentage of ended cards that were won; null while none has ended. */
      winRate: whole.nullable(),
      /** Average value of won cards; null without any. */
      average: z.string().nullable(),
      /** Owners by value, highest first; a null id: unassigned. */
      owners: z.array(z.object({ id: whole.nullable(), name: z.string().nullable(), ...total.shape, won: whole })),
      statuses: z.array(z.object({ status: z.enum(STATUSES), ...total.shape })),
      /** By month, `YYYY-MM`: cards created, won and lost in it, and the average value of those won. */
      months: z.array(
        z.object({
          month: z.string(),
          created: whole,
          won: whole,
          lost: whole,
          average: z.string().nullable(),
        }),
      ),
      /** Open cards by month of their forecast; null: without one. `expected`: value by chance. */
      forecast: z.array(z.object({ month: z.string().nullable(), ...total.shape, expected: z.string() })),
      alerts: z.array(z.object({ alert: z.enum(ALERTS), ...total.shape })),
    }),
  },
  get: { summary: 'Uma oportunidade', returns: card, errors: ['ERR_NO_OPPORTUNITY_FOUND'] },
  history: {
    summary: 'O que aconteceu com uma oportunidade, do mais novo ao mais antigo',
    query: z.object({ cursor }),
    returns: z.object({
      data: z.array(
        z.object({
          id: whole,
          kind: z.enum(HISTORY_KINDS),
          /** Name of a custom field; null if it was deleted, and for other changes. */
          field: z.string().nullable(),
          before: z.string().nullable(),
          after: z.string().nullable(),
          entry: whole,
          userId: whole.nullable(),
          userName: z.string().nullable(),
          at: isoTime,
        }),
      ),
      nextCursor,
    }),
    errors: ['ERR_NO_OPPORTUNITY_FOUND'],
  },
  ofContact: {
    summary: 'As oportunidades de um contato que a pessoa vê',
    query: z.object({
      status: many(z.enum(STATUSES)),
      valorMin: money.optional(),
      valorMax: money.optional(),
      page: z.coerce.number<number | string>().int().min(1).default(1),
      limit: limit.default(10),
      cursor,
    }),
    returns: z.object({ data: z.array(card), total: whole, nextCursor }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  create: {
    summary: 'Nova oportunidade; o contato fica o mesmo para sempre',
    body: opportunityForm,
    returns: card,
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_PIPELINE_FOUND', 'ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma oportunidade; perder pede o motivo',
    body: opportunityChanges,
    returns: card,
    errors: ['ERR_NO_OPPORTUNITY_FOUND', 'ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
  move: {
    summary: 'Pôr uma oportunidade antes de outra de uma etapa; sem dizer qual, no fim',
    body: z.strictObject({ stageId: id, beforeId: id.nullable().optional() }),
    returns: card,
    errors: ['ERR_NO_OPPORTUNITY_FOUND', 'ERR_NO_PIPELINE_STAGE_FOUND', 'ERR_BOARD_CHANGED'],
  },
  remove: {
    summary: 'Excluir uma oportunidade com o seu histórico',
    returns: done,
    errors: ['ERR_NO_OPPORTUNITY_FOUND'],
    audit: true,
  },
  bulk: {
    summary: 'Uma ação em muitas oportunidades; com dryRun, só o que seria recusado e por quê',
    body: z
      .strictObject({
        ids: z.array(id).min(1).max(MOST_NAMED, `Escolha no máximo ${MOST_NAMED}.`),
        action: z.enum(CARD_ACTIONS),
        args: bulkArgs.default({}),
        dryRun: z.boolean().optional(),
      })
      .superRefine(({ action, args }, { addIssue }) => {
        const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: ['args', path], message })
        if (action === 'move' && args.stageId === undefined) refuse('stageId', 'Escolha a etapa.')
        if (action === 'owner' && args.userId === undefined) refuse('userId', 'Escolha o responsável.')
        if (action === 'lose' && !args.reason) refuse('reason', 'Diga por que foi perdida.')
      }),
    returns: bulkAnswer,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND', 'ERR_NO_USER_FOUND'],
  },
  export: {
    summary: 'Exportar as oportunidades que os filtros deixam passar; o arquivo é enviado enquanto é feito',
    mode: 'slow',
    body: z.strictObject({
      ...narrowing,
      pipelineId: id.optional(),
      format: z.enum(['csv', 'xlsx']).default('csv'),
    }),
    returns: z.unknown(),
    audit: true,
  },
})

/** Kinds of change that an event reports per card; `won` and `lost` come with `updated` or `created`. */
export const cardHappening = z.enum(['created', 'updated', 'stage', 'won', 'lost', 'deleted'])

/** Kind of change of a card. */
export type CardHappening = z.output<typeof cardHappening>

/** Events of the funnel; `happened` lists cards with changes other than their order within a stage. */
export const funnelEvents = events(at.funnelEvents, {
  moved: z.object({
    ids: z.array(whole),
    happened: z.array(z.object({ id: whole, contactId: whole, types: z.array(cardHappening) })).optional(),
  }),
  pipelines: z.object({ id: whole }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    opportunities: typeof opportunities
  }
  interface Events {
    funnelEvents: typeof funnelEvents
  }
}
