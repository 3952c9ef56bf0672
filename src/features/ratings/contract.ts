import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { RATING_STATUSES } from '#domain/ratings/rating.ts'
import { contract } from '#kit/contract.ts'
import { day, done, flag, id, isoTime, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { rate, ratingList, ratingTextFields, ratingTexts } from './forms.ts'

/** Rating option: its number, its label, and its own reply (empty: the general thanks). */
export type Rate = z.output<typeof rate>

/** Rating texts, as API responses return them. */
export type RatingTexts = z.output<typeof ratingTexts>

/** API contract of the rating settings; times in ms. */
export const ratings = contract(at.ratings, {
  get: {
    summary: 'Configuração da avaliação',
    returns: z.object({ rating: z.array(rate), ...ratingTextFields }),
  },
  set: {
    summary: 'Guardar os nomes das notas e a resposta de cada uma',
    body: ratingList,
    returns: z.object({ rating: z.array(rate) }),
    audit: true,
  },
  setTexts: {
    summary: 'Guardar os textos e o tempo da avaliação; o que falta fica como está',
    body: ratingTexts.partial().extend({ id: id.optional() }).strict(),
    returns: z.object({ id: z.number().int(), ...ratingTextFields }),
    errors: ['ERR_NOT_FOUND'],
    audit: true,
  },
})

const evaluation = z.object({
  id: z.number().int(),
  ticketId: z.number().int(),
  status: z.enum(RATING_STATUSES),
  /** 0 to 5; null until the customer has rated. */
  evaluation: z.number().int().nullable(),
  /** Number of answers that were not a rating. */
  attempts: z.number().int(),
  /** Agent and queue of the ticket when it was closed. */
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  queue: z.object({ id: z.number().int(), queue: z.string() }).nullable(),
  createdAt: isoTime,
  answeredAt: isoTime.nullable(),
})

const ratingRow = evaluation.extend({ contactName: hidden(z.string(), maskName) })

/** Evaluation in the list, as API responses return it. */
export type RatingRow = z.output<typeof ratingRow>

/** API contract of rating requests and their answers. */
export const evaluations = contract(at.evaluations, {
  list: {
    summary: 'Avaliações dos atendimentos que quem pede pode ver, da mais nova à mais antiga',
    query: pageQuery.extend({
      /** First and last day, in the company's zone. */
      from: day.optional(),
      to: day.optional(),
      rating: many(z.coerce.number<number | string>().int().min(0).max(5)),
      /** Agent of the ticket when it was closed. */
      user: id.optional(),
      /** Only tickets of this contact; replaces a search. */
      contactId: id.optional(),
      /** Only requests with a rating. */
      answered: flag,
    }),
    returns: z.object({
      ticketEvaluations: z.array(ratingRow),
      /** Summary of all matching requests, up to the newest 10,000; sent with the first page. */
      summary: z
        .object({
          /** Counts of the ratings 0 to 5. */
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
    summary: 'Avaliações de um atendimento, uma por encerramento, da mais nova à mais antiga',
    query: pageQuery,
    returns: z.object({ logs: z.array(evaluation), ...pageAnswer }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  remove: {
    summary: 'Excluir uma avaliação; o atendimento e as mensagens ficam',
    returns: done,
    errors: ['ERR_NOT_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    ratings: typeof ratings
    evaluations: typeof evaluations
  }
}
