import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { RATING_STATUSES } from '#domain/ratings/rating.ts'
import { contract } from '#kit/contract.ts'
import {
  day,
  done,
  flag,
  id,
  idParams,
  isoTime,
  many,
  onOff,
  pageAnswer,
  pageQuery,
  text,
  ticketIdParams,
} from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'

const rate = z.strictObject({
  rating: z.number().int().min(0).max(5),
  label: text(40, 1),
  message: text(1000),
})

/** One rating: its number, its name, and an answer of its own (empty: the general thanks). */
export type Rate = z.output<typeof rate>

/** The six ratings that a customer chooses from, each once. */
export const ratingList = z.array(rate).superRefine((list, check) => {
  for (let rating = 0; rating <= 5; rating++) {
    const amount = list.filter((row) => row.rating === rating).length
    if (amount !== 1) {
      const message = amount === 0 ? `Falta a nota ${rating}.` : `A nota ${rating} aparece mais de uma vez.`
      check.addIssue({ code: 'custom', path: [rating], message })
    }
  }
})

const texts = {
  ratingStoreUse: onOff,
  ratingStore: text(1000),
  ratingStoreError: text(1000),
  ratingStoreAttemp: text(1000),
  /** Milliseconds, in whole minutes, up to seven days. */
  ratingStoreTime: z
    .number()
    .int()
    .min(60_000, 'Use ao menos 1 minuto.')
    .max(604_800_000, 'Use no máximo 7 dias.')
    .multipleOf(60_000, 'Use minutos inteiros.'),
}

/** Texts and time of the rating. */
export const ratingTexts = z.object(texts)

/** The same, read. */
export type RatingTexts = z.output<typeof ratingTexts>

/** What is asked of a customer at the end, and what is answered; times in ms. */
export const ratings = contract('ratings', {
  get: {
    method: 'GET',
    path: '/tenants/rating',
    summary: 'Configuração da avaliação',
    can: 'settings:read',
    returns: z.object({ rating: z.array(rate), ...texts }),
  },
  set: {
    method: 'PUT',
    path: '/tenants/rating',
    summary: 'Guardar os nomes das notas e a resposta de cada uma',
    can: 'ratings:write',
    body: ratingList,
    returns: z.object({ rating: z.array(rate) }),
    touches: ['ratings'],
    audit: true,
  },
  setTexts: {
    method: 'PUT',
    path: '/tenantsRatingData/:id',
    summary: 'Guardar os textos e o tempo da avaliação; o que falta fica como está',
    can: 'ratings:write',
    params: idParams,
    body: ratingTexts.partial().extend({ id: id.optional() }).strict(),
    returns: z.object({ id: z.number().int(), ...texts }),
    errors: ['ERR_NOT_FOUND'],
    touches: ['ratings'],
    audit: true,
  },
})

const evaluation = z.object({
  id: z.number().int(),
  ticketId: z.number().int(),
  status: z.enum(RATING_STATUSES),
  /** 0 to 5; null until the customer has given one. */
  evaluation: z.number().int().nullable(),
  /** How many answers were no rating. */
  attempts: z.number().int(),
  /** Owner and queue of the ticket when it was resolved. */
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  queue: z.object({ id: z.number().int(), queue: z.string() }).nullable(),
  createdAt: isoTime,
  answeredAt: isoTime.nullable(),
})

const evaluationRow = evaluation.extend({ contactName: hidden(z.string(), maskName) })

/** An evaluation in the list, as a browser reads it. */
export type RatingRow = z.output<typeof evaluationRow>

/** What customers were asked and what they answered. */
export const evaluations = contract('evaluations', {
  list: {
    method: 'GET',
    path: '/ticketEvaluations',
    summary: 'Avaliações dos atendimentos que quem pede pode ver, da mais nova à mais antiga',
    can: 'ratings:read',
    query: pageQuery.extend({
      /** First and last day, in the company's zone. */
      from: day.optional(),
      to: day.optional(),
      rating: many(z.coerce.number<number | string>().int().min(0).max(5)),
      /** Whose ticket it was when it was resolved. */
      user: id.optional(),
      /** Only those with a rating. */
      answered: flag,
    }),
    returns: z.object({
      ticketEvaluations: z.array(evaluationRow),
      /** Of everything that the filter lets through, up to the newest 10,000; with the first page. */
      summary: z
        .object({
          /** How often each rating was given, from 0 to 5. */
          amounts: z.array(z.number().int()).length(6),
          answered: z.number().int(),
          average: z.number().nullable(),
        })
        .optional(),
      ...pageAnswer,
    }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  logs: {
    method: 'GET',
    path: '/ticketEvaluations/:ticketId/logs',
    summary: 'Avaliações de um atendimento, uma por encerramento, da mais nova à mais antiga',
    can: 'tickets:read',
    params: ticketIdParams,
    query: pageQuery,
    returns: z.object({ logs: z.array(evaluation), ...pageAnswer }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  remove: {
    method: 'DELETE',
    path: '/ticketEvaluations/:id',
    summary: 'Excluir uma avaliação; o atendimento e as mensagens ficam',
    can: 'ratings:delete',
    params: idParams,
    returns: done,
    errors: ['ERR_NOT_FOUND'],
    touches: ['evaluations'],
    audit: true,
  },
})
