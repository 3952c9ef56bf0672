import { z } from 'zod'
import { STATUSES } from '#domain/funnel/card.ts'
import { id, text } from '#kit/fields.ts'

const some = (message: string) => z.array(id).min(1, message).max(20, 'No máximo 20.')

/** Step of a pipeline action. */
export const actionStep = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message'), message: text(4000, 1), whatsappId: id }),
  z.strictObject({ type: z.literal('stage_change'), targetStageId: id }),
  z.strictObject({ type: z.literal('status_change'), targetStatus: z.enum(STATUSES) }),
  z.strictObject({ type: z.literal('add_tag'), tagIds: some('Escolha as etiquetas.') }),
  z.strictObject({ type: z.literal('add_wallet'), userIds: some('Escolha as pessoas.') }),
  z.strictObject({ type: z.literal('start_flow'), chatFlowId: id }),
])

const hour = (max: number) => z.coerce.number<number | string>().int().min(0).max(max).nullable().default(null)

/** Body of a pipeline action. */
export const actionForm = z
  .strictObject({
    name: text(80, 1),
    description: text(500).default(''),
    pipelineId: id,
    stageId: id,
    steps: z.array(actionStep).min(1, 'Inclua ao menos um passo.').max(10, 'No máximo 10 passos.'),
    daysToTrigger: z.coerce
      .number<number | string>('Informe de 0 a 365 dias.')
      .int('Informe de 0 a 365 dias.')
      .min(0, 'Informe de 0 a 365 dias.')
      .max(365, 'Informe de 0 a 365 dias.')
      .default(0),
    hourFrom: hour(23),
    hourTo: hour(24),
    active: z.boolean().default(false),
  })
  .refine(({ hourFrom, hourTo }) => (hourFrom === null) === (hourTo === null), {
    path: ['hourTo'],
    message: 'Informe as duas horas, ou nenhuma.',
  })
