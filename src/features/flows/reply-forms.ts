import { z } from 'zod'
import { choicesIn } from '#domain/flow/replies.ts'
import { id, text } from '#kit/fields.ts'

const MOST_STEPS = 50
const MOST_ACTIONS = 50

const actionFields = z.strictObject({
  words: text(500, 1).refine((words) => choicesIn(words).length > 0, 'Escreva ao menos uma palavra.'),
  action: z.union([z.literal(0), z.literal(1), z.literal(2)], {
    error: 'Escolha o que acontece: 0 próxima etapa, 1 fila ou 2 usuário.',
  }),
  nextStepId: z.number().int().nullish(),
  queueId: id.nullish(),
  userIdDestination: id.nullish(),
  replyDefinition: text(4096).nullish(),
})

type Destination = Pick<z.output<typeof actionFields>, 'action' | 'nextStepId' | 'queueId' | 'userIdDestination'>

function requireDestination(
  { action, nextStepId, queueId, userIdDestination }: Destination,
  ctx: z.core.$RefinementCtx,
): void {
  const refuse = (field: keyof Destination, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
  if (action === 0 && nextStepId == null) refuse('nextStepId', 'Escolha a próxima etapa.')
  if (action === 1 && queueId == null) refuse('queueId', 'Escolha a fila.')
  if (action === 2 && userIdDestination == null) refuse('userIdDestination', 'Escolha o usuário.')
}

/** One answer that a step understands, and what follows. */
export const replyAction = actionFields.superRefine(requireDestination)

/** The same, as it is added to a step. */
export const replyActionOfStep = actionFields.extend({ stepReplyId: id }).superRefine(requireDestination)

const stepFields = z.strictObject({ reply: text(4096, 1), initialStep: z.boolean().optional() })

/** A step with all of its answers; ids are its own or, where it is new, any that `nextStepId` names. */
export const replyStep = stepFields.extend({
  id: z.number().int().optional(),
  actions: z
    .array(actionFields.extend({ id: z.number().int().optional() }).superRefine(requireDestination))
    .max(MOST_ACTIONS, `No máximo ${MOST_ACTIONS} respostas por etapa.`)
    .default([]),
})

/** What a step says. */
export const replyStepForm = stepFields

/** What of a step may change; what is left out stays. */
export const replyStepChanges = stepFields.partial()

/** What a change of an auto reply may carry; what is left out stays. */
export const replyChanges = z
  .strictObject({
    name: text(100, 1),
    action: z.union([z.literal(0), z.literal(1)], {
      error: 'Escolha quando ela começa: 0 na entrada ou 1 no encerramento.',
    }),
    celularTeste: text(30).nullable(),
    isActive: z.boolean(),
    steps: z
      .array(replyStep)
      .max(MOST_STEPS, `No máximo ${MOST_STEPS} etapas.`)
      .refine((steps) => steps.filter(({ initialStep }) => initialStep).length < 2, 'Só uma etapa é a inicial.')
      .superRefine((steps, ctx) => {
        const ids = new Set(steps.map((step) => step.id))
        for (const [index, { actions }] of steps.entries())
          for (const [at, { action, nextStepId }] of actions.entries())
            if (action === 0 && nextStepId != null && !ids.has(nextStepId))
              ctx.addIssue({
                ...{ code: 'custom', path: [index, 'actions', at, 'nextStepId'] },
                message: 'A próxima etapa não existe mais.',
              })
      }),
  })
  .partial()

/** What a new auto reply is made from. */
export const replyForm = replyChanges.required({ name: true })
