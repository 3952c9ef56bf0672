import { z } from 'zod'
import { STATUSES } from '#domain/funnel/card.ts'
import { color, day, id, text } from '#kit/fields.ts'
import { fieldValues } from '#kit/own-fields.ts'

/** What an opportunity is worth: decimal text, or a number. */
export const money: z.ZodType<string, string | number> = z.preprocess(
  (given: string | number) => (typeof given === 'number' ? String(given) : given),
  z.string({ error: 'Informe o valor.' }).regex(/^\d{1,12}(\.\d{1,2})?$/, 'Informe um valor como 1234.56.'),
)

const whole = (min: number, max: number, message: string) =>
  z.coerce.number<number | string>(message).int(message).min(min, message).max(max, message)

/** A stage as it is written. */
export const stageForm = z.strictObject({
  name: text(40, 1),
  color: color.default('#4A90E2'),
  /** How likely its cards are won, in percent. */
  chance: whole(0, 100, 'Informe de 0 a 100.').default(50),
  /** After so many days a card has been there for too long. */
  staleDays: whole(1, 365, 'Informe de 1 a 365 dias.').default(15),
})

/** A pipeline with its stages in their order; those with an id are known already. */
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
  /** Why it was lost. */
  reason: text(300).optional(),
  /** Fields of the company's own by their ids; null empties one, a field that is left out keeps its value. */
  fields: fieldValues.optional(),
}

/** An opportunity as it is made. */
export const opportunityForm = z.strictObject({
  ...fields,
  pipelineId: id,
  /** The first one of the pipeline, where it is left out. */
  stageId: id.optional(),
  contactId: id,
})

/** What of an opportunity is changed. */
export const opportunityChanges = z.strictObject({ ...fields, name: fields.name.optional(), stageId: id.optional() })

/** An e-mail to the contact of an opportunity; both fit into one note. */
export const mailForm = z.strictObject({ subject: text(200, 1), text: text(3500, 1) })

/** A note on an opportunity. */
export const noteForm = z.strictObject({ text: text(4000, 1) })
