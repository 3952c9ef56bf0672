import { z } from 'zod'
import { RULE_EVENTS } from '#domain/rules/rules.ts'
import { TICKET_STATUSES } from '#domain/tickets/facts.ts'
import { actionForm } from '#features/macros/forms.ts'
import { id, text } from '#kit/fields.ts'

const is = z.boolean()
const some = <T extends z.ZodType>(one: T) =>
  z.array(one).min(1, 'Escolha ao menos um.').max(100, 'No máximo 100 por condição.')

/** Schema of a rule's condition; null among the values means none. */
export const conditionForm = z.discriminatedUnion(
  'field',
  [
    z.strictObject({
      field: z.literal('phrases'),
      is,
      values: z.array(text(100, 1)).min(1, 'Escreva ao menos uma palavra.').max(50, 'No máximo 50 palavras.'),
    }),
    z.strictObject({ field: z.literal('status'), is, values: some(z.enum(TICKET_STATUSES)) }),
    z.strictObject({ field: z.enum(['queueId', 'userId', 'stageId']), is, values: some(id.nullable()) }),
    z.strictObject({ field: z.enum(['connectionId', 'tagIds', 'walletIds']), is, values: some(id) }),
    z.strictObject({ field: z.literal('isOpen'), is }),
  ],
  { error: 'Escolha o que a condição compara.' },
)

/** Schema of a rule's action: no user runs it, so that assigning a ticket requires a user id. */
export const ruleAction = actionForm.refine((action) => action.kind !== 'person' || action.userId !== null, {
  error: 'Escolha a pessoa.',
  path: ['userId'],
})

/** Schema of changes to a rule; omitted fields remain unchanged. */
export const ruleChanges = z
  .strictObject({
    name: text(60, 1),
    event: z.enum(RULE_EVENTS, { error: 'Escolha quando a automação age.' }),
    isActive: z.boolean(),
    match: z.enum(['all', 'any'], { error: 'Escolha se valem todas as condições ou alguma.' }),
    conditions: z.array(conditionForm).max(20, 'No máximo 20 condições.'),
    actions: z.array(ruleAction).min(1, 'Inclua ao menos uma ação.').max(20, 'No máximo 20 ações.'),
  })
  .partial()

/** Schema of a new rule. */
export const ruleForm = ruleChanges.required({ name: true, event: true, actions: true })

/** Schema of a rule's trial; the name may be missing. */
export const ruleTrial = ruleChanges
  .pick({ event: true, match: true, conditions: true, actions: true })
  .required({ event: true, actions: true })
