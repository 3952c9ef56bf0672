import { z } from 'zod'
import { text } from '#kit/fields.ts'

const count = (most: number) =>
  z.number({ error: 'Informe um número.' }).int('Informe um número inteiro.').min(1, 'Ao menos 1.').max(most)

/** Fields of a plan; `value` is the monthly price as decimal text, `trialPeriod` in days. */
export const planFields = {
  name: text(60, 2),
  value: z
    .string({ error: 'Informe o valor.' })
    .trim()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Informe um valor em reais.'),
  connections: count(1000),
  users: count(10_000),
  /** Maximum number of assistants' answers per month; 0: no limit. */
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

/** Schema of a plan's form. */
export const planForm = sent.refine((plan) => !plan.trial || plan.trialPeriod > 0, {
  path: ['trialPeriod'],
  message: 'Informe quantos dias dura o teste.',
})
