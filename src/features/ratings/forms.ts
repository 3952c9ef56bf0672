import { z } from 'zod'
import { onOff, text } from '#kit/fields.ts'

/** Schema of a rating option: its number, its label, and its own reply (empty: the general thanks). */
export const rate = z.strictObject({
  rating: z.number().int().min(0).max(5),
  label: text(40, 1),
  message: text(1000),
})

/** Schema of the six rating options, each once. */
export const ratingList = z.array(rate).superRefine((list, check) => {
  for (let rating = 0; rating <= 5; rating++) {
    const amount = list.filter((row) => row.rating === rating).length
    if (amount !== 1) {
      const message = amount === 0 ? `Falta a nota ${rating}.` : `A nota ${rating} aparece mais de uma vez.`
      check.addIssue({ code: 'custom', path: [rating], message })
    }
  }
})

/** Fields of the rating settings form. */
export const ratingTextFields = {
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

/** Schema of the rating settings. */
export const ratingTexts = z.object(ratingTextFields)
