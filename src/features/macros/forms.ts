import { z } from 'zod'
import { color, id, text } from '#kit/fields.ts'

const tagIds = z.array(id).min(1, 'Escolha ao menos uma etiqueta.').max(20, 'No máximo 20 etiquetas por passo.')
const body = text(4000, 1)

/** Schema of a macro's action. */
export const actionForm = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.enum(['tag', 'untag']), tagIds }),
    z.strictObject({ kind: z.literal('queue'), queueId: id }),
    /** Null: the user who runs the macro. */
    z.strictObject({ kind: z.literal('person'), userId: id.nullable() }),
    z.strictObject({ kind: z.enum(['note', 'text']), body }),
    z.strictObject({ kind: z.literal('stage'), stageId: id }),
    /** Creates an opportunity for the contact; the name may contain variables. */
    z.strictObject({
      kind: z.literal('opportunity'),
      pipelineStageId: id,
      name: text(120, 1),
      value: z
        .string()
        .regex(/^\d{1,12}(\.\d{1,2})?$/, 'Informe um valor como 1234.56.')
        .default('0'),
    }),
    /** Close reason; null: chosen by the user who runs the macro. */
    z.strictObject({ kind: z.literal('close'), reasonId: id.nullish() }),
    z.strictObject({
      kind: z.literal('snooze'),
      minutes: z.coerce
        .number<number | string>({ error: 'Informe por quanto tempo.' })
        .int('Informe um número inteiro.')
        .min(1, 'Informe ao menos 1 minuto.')
        .max(525_600, 'Adie por no máximo um ano.'),
    }),
  ],
  { error: 'Escolha o que o passo faz.' },
)

/** Schema of changes to a macro; omitted fields remain unchanged. */
export const macroChanges = z
  .strictObject({
    name: text(60, 1),
    color,
    audience: z.enum(['person', 'queue', 'company'], { error: 'Escolha quem usa.' }),
    queueId: id.nullable(),
    actions: z.array(actionForm).min(1, 'Inclua ao menos um passo.').max(20, 'No máximo 20 passos.'),
  })
  .partial()

/** Schema of a new macro. */
export const macroForm = macroChanges.required({ name: true, actions: true })
