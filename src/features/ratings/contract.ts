import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { id, idParams, onOff, text } from '#kit/fields.ts'

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
