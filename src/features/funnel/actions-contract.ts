import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { contract } from '#kit/contract.ts'
import { done, flag, id, isoTime } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './action-addresses.ts'
import { actionForm, actionStep } from './action-forms.ts'

const whole = z.number().int()
const nextCursor = z.string().nullable()

const actionType = z.enum(['message', 'stage_change', 'status_change', 'add_tag', 'add_wallet', 'start_flow', 'flow'])

const action = z.object({
  id: whole,
  name: z.string(),
  description: z.string(),
  pipelineId: whole,
  stageId: whole,
  /** Type of the single step; `flow`: several steps in order. */
  actionType,
  steps: z.array(actionStep),
  daysToTrigger: whole,
  hourFrom: whole.nullable(),
  hourTo: whole.nullable(),
  active: z.boolean(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Pipeline action as the browser gets it. */
export type PipelineAction = z.output<typeof action>

const step = z.object({
  step: actionStep,
  /** Reason why the step was, or would be, refused. */
  refusal: z.string().nullable(),
})

const list = {
  query: z.object({
    searchTerm: z.string().trim().max(200).optional(),
    pipelineId: id.optional(),
    stageId: id.optional(),
    actionType: actionType.optional(),
    active: flag,
    page: z.coerce.number<number | string>().int().min(1).default(1),
    cursor: z.string().max(500).optional(),
  }),
  returns: z.object({ data: z.array(action), total: whole, nextCursor }),
  errors: ['ERR_PAGE_TOO_FAR'],
} as const

const log = z.object({
  id: whole,
  actionId: whole,
  actionName: z.string(),
  opportunityId: whole,
  opportunityName: z.string(),
  contactName: hidden(z.string(), maskName),
  entry: whole,
  /** `stopped`: too many consecutive actions had moved the card here. */
  result: z.enum(['done', 'refused', 'stopped']),
  steps: z.array(step),
  date: isoTime,
})

/** API contract of pipeline actions, which run on cards that enter a stage. */
export const pipelineActions = contract(at.pipelineActions, {
  list: { summary: 'As automações do funil', ...list },
  ofPipeline: { summary: 'As automações de um funil', ...list, errors: ['ERR_NO_PIPELINE_FOUND', 'ERR_PAGE_TOO_FAR'] },
  ofStage: {
    summary: 'As automações de uma etapa',
    ...list,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma automação', returns: action, errors: ['ERR_NO_PIPELINE_ACTION_FOUND'] },
  create: {
    summary: 'Nova automação de um passo; começa desligada, salvo se ativa',
    body: actionForm,
    returns: action,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
  sequential: {
    summary: 'Nova automação de vários passos, na sua ordem',
    body: actionForm,
    returns: action,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma automação',
    body: actionForm,
    returns: action,
    errors: ['ERR_NO_PIPELINE_ACTION_FOUND', 'ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma automação com os seus registros',
    returns: done,
    errors: ['ERR_NO_PIPELINE_ACTION_FOUND'],
    audit: true,
  },
  toggle: {
    summary: 'Ligar ou desligar; ligada, vale para quem entrar na etapa daí em diante',
    returns: action,
    errors: ['ERR_NO_PIPELINE_ACTION_FOUND'],
    audit: true,
  },
  simulate: {
    summary: 'O que uma automação faria com uma oportunidade agora; nada muda',
    mode: 'slow',
    body: z.strictObject({ opportunityId: id }),
    returns: z.object({
      result: z.enum(['done', 'refused', 'stopped']),
      steps: z.array(step),
      /** Obstacles that currently prevent the action. */
      obstacles: z.array(z.enum(['off', 'elsewhere', 'ended', 'early', 'hour', 'done'])),
    }),
    errors: ['ERR_NO_PIPELINE_ACTION_FOUND', 'ERR_NO_OPPORTUNITY_FOUND'],
  },
  logs: {
    summary: 'O que as automações fizeram, do mais novo ao mais antigo',
    query: z.object({
      actionId: id.optional(),
      page: z.coerce.number<number | string>().int().min(1).default(1),
      cursor: z.string().max(500).optional(),
    }),
    returns: z.object({ data: z.array(log), total: whole, nextCursor }),
    errors: ['ERR_NO_PIPELINE_ACTION_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    pipelineActions: typeof pipelineActions
  }
}
