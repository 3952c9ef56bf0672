import { z } from 'zod'
import { STATUSES } from '#domain/funnel/card.ts'
import { color, day, id, text } from '#kit/fields.ts'
import { fieldValues } from '#kit/own-fields.ts'

/** Schema of a value: decimal text, or a number. */
export const money: z.ZodType<string, string | number> = z.preprocess(
  (given: string | number) => (typeof given === 'number' ? String(given) : given),
  z.string({ error: 'Informe o valor.' }).regex(/^\d{1,12}(\.\d{1,2})?$/, 'Informe um valor como 1234.56.'),
)

const whole = (min: number, max: number, message: string) =>
  z.coerce.number<number | string>(message).int(message).min(min, message).max(max, message)

/** Body of a stage. */
export const stageForm = z.strictObject({
  name: text(40, 1),
  color: color.default('#4A90E2'),
  /** Probability that its cards are won, in percent. */
  chance: whole(0, 100, 'Informe de 0 a 100.').default(50),
  /** Days in the stage after which a card is stale. */
  staleDays: whole(1, 365, 'Informe de 1 a 365 dias.').default(15),
})

/** Body of a pipeline with its stages in order; existing stages have an id. */
export const pipelineForm = z.strictObject({
  name: text(60, 1),
  stages: z
    .array(stageForm.extend({ id: id.optional() }))
    .min(1, 'Um funil tem ao menos uma etapa.')
    .max(30, 'No máximo 30 etapas.'),
})

const fields = {
  name: text(120, 1),
  responsibleId: id.nullable().optional(),
  closingForecast: day.nullable().optional(),
  value: money.optional(),
  description: text(4000).optional(),
  status: z.enum(STATUSES).optional(),
  /** Reason of a loss. */
  reason: text(300).optional(),
  /** Values of custom fields by id; null empties a field, absent ones stay. */
  fields: fieldValues.optional(),
}

/** Body of a new opportunity. */
export const opportunityForm = z.strictObject({
  ...fields,
  pipelineId: id,
  /** Defaults to the first stage of the pipeline. */
  stageId: id.optional(),
  contactId: id,
})

/** Body of an opportunity change. */
export const opportunityChanges = z.strictObject({ ...fields, name: fields.name.optional(), stageId: id.optional() })

/** Body of an e-mail to an opportunity's contact; both fields fit into one note. */
export const mailForm = z.strictObject({ subject: text(200, 1), text: text(3500, 1) })

/** Body of a note on an opportunity. */
export const noteForm = z.strictObject({ text: text(4000, 1) })
