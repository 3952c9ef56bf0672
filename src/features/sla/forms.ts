import { z } from 'zod'
import { rowId } from '#kit/fields/reference.ts'
import { text } from '#kit/fields.ts'

const whole = (least: number, most: number) =>
  z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(least, `Informe ao menos ${least}.`)
    .max(most, `Informe no máximo ${most}.`)
/** Minutes, up to thirty days. */
const minutes = whole(1, 43_200).nullable()
const rows = z.array(rowId).max(100, 'Escolha no máximo 100.')

/** Schema of changes to a policy; omitted fields remain unchanged. */
export const slaChanges = z
  .strictObject({
    name: text(60, 1),
    isActive: z.boolean(),
    queueIds: rows,
    connectionIds: rows,
    tagIds: rows,
    walletIds: rows,
    firstMinutes: minutes,
    nextMinutes: minutes,
    solutionMinutes: minutes,
    warnPercent: whole(1, 99),
  })
  .partial()

/** Schema of a new policy. */
export const slaForm = slaChanges.required({ name: true })
