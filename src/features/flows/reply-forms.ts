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

/** Answer that a step understands, and the action that follows. */
export const replyAction = actionFields.superRefine(requireDestination)

/** Body that adds an action to a step. */
export const replyActionOfStep = actionFields.extend({ stepReplyId: id }).superRefine(requireDestination)

const stepFields = z.strictObject({ reply: text(4096, 1), initialStep: z.boolean().optional() })

/** Step with all of its actions; ids are stored ones or, for new steps, arbitrary ones that `nextStepId` refers to. */
export const replyStep = stepFields.extend({
  id: z.number().int().optional(),
  actions: z
    .array(actionFields.extend({ id: z.number().int().optional() }).superRefine(requireDestination))
    .max(MOST_ACTIONS, `No máximo ${MOST_ACTIONS} respostas por etapa.`)
    .default([]),
})

/** Body of a new step. */
export const replyStepForm = stepFields

/** Body of a step change; absent fields stay. */
export const replyStepChanges = stepFields.partial()

/** Body of an auto reply change; absent fields stay. */
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

/** Body of a new auto reply. */
export const replyForm = replyChanges.required({ name: true })
