import { z } from 'zod'
import { text } from '#kit/fields.ts'

const count = (most: number) =>
  z.number({ error: 'Informe um número.' }).int('Informe um número inteiro.').min(1, 'Ao menos 1.').max(most)

/** What a plan says; `value` is the price of a month as decimal text, `trialPeriod` in days. */
export const planFields = {
  name: text(60, 2),
  value: z
    .string({ error: 'Informe o valor.' })
    .trim()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Informe um valor em reais.'),
  connections: count(1000),
  users: count(10_000),
  /** Answers of assistants a month; 0: as many as they like. */
  assistantAnswers: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(0, 'Zero é sem limite.')
    .max(100_000_000, 'No máximo 100.000.000.'),
  trial: z.boolean(),
  trialPeriod: z.number({ error: 'Informe os dias.' }).int('Informe os dias.').min(0).max(365, 'No máximo 365 dias.'),
  isActive: z.boolean(),
}

const sent = z.strictObject({ ...planFields, assistantAnswers: planFields.assistantAnswers.optional() })

/** What the form of a plan sends. */
export const planForm = sent.refine((plan) => !plan.trial || plan.trialPeriod > 0, {
  path: ['trialPeriod'],
  message: 'Informe quantos dias dura o teste.',
})
