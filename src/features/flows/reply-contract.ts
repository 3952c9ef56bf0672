import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, id, isoTime, pageAnswer } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './reply-addresses.ts'
import {
  replyAction,
  replyActionOfStep,
  replyChanges,
  replyForm,
  replyStepChanges,
  replyStepForm,
} from './reply-forms.ts'
import { replyTable } from './reply-table.ts'

const action = z.object({
  id: z.number().int(),
  words: z.string(),
  action: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  nextStepId: z.number().int().nullable(),
  queueId: z.number().int().nullable(),
  userIdDestination: z.number().int().nullable(),
  replyDefinition: z.string(),
})

const step = z.object({
  id: z.number().int(),
  reply: z.string(),
  initialStep: z.boolean(),
  actions: z.array(action).readonly(),
})

const reply = z.object({
  id: z.number().int(),
  name: z.string(),
  action: z.union([z.literal(0), z.literal(1)]),
  celularTeste: z.string(),
  isActive: z.boolean(),
  steps: z.array(step).readonly(),
  /** Problems that prevent the reply from running, such as removed records. */
  problems: z.array(z.string()),
  /** Number of conversations that it currently attends, up to 1,000. */
  attending: z.number().int(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Auto reply as the browser gets it. */
export type AutoReply = z.output<typeof reply>

const stepParams = z.object({ id, stepId: id })
const actionParams = z.object({ actionId: id })
const found = ['ERR_NO_AUTO_REPLY_FOUND'] as const
const foundStep = ['ERR_NO_AUTO_REPLY_FOUND', 'ERR_NO_STEP_AUTO_REPLY_FOUND'] as const

/** API contract of auto replies: short keyword dialogs that run as chat flows. */
export const autoReplies = contract(at.autoReplies, {
  list: {
    summary: 'Respostas automáticas',
    query: listQuery(replyTable),
    returns: z.object({ autoReply: z.array(reply), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma resposta automática', returns: reply, errors: [...found] },
  create: {
    summary: 'Nova resposta automática, desligada se não for dito outra coisa',
    body: replyForm,
    returns: reply,
    errors: ['ERR_MAX_AUTO_REPLIES'],
    audit: true,
  },
  update: {
    summary: 'Alterar, ligar ou desligar uma resposta automática; o que não vem no pedido fica como está',
    body: replyChanges,
    returns: reply,
    errors: [...found],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma resposta automática que não atende ninguém',
    returns: done,
    errors: [...found, 'ERR_AUTO_REPLY_RELATIONED_TICKET'],
    audit: true,
  },
  createStep: {
    summary: 'Incluir uma etapa numa resposta automática',
    body: replyStepForm,
    returns: step,
    errors: [...found],
    audit: true,
  },
  updateStep: {
    summary: 'Alterar uma etapa de uma resposta automática',
    params: stepParams,
    body: replyStepChanges,
    returns: step,
    errors: [...foundStep],
    audit: true,
  },
  removeStep: {
    summary: 'Excluir uma etapa a que nenhuma outra leva',
    params: stepParams,
    returns: done,
    errors: [...foundStep],
    audit: true,
  },
  createAction: {
    summary: 'Incluir uma resposta que uma etapa entende',
    body: replyActionOfStep,
    returns: action,
    errors: ['ERR_NO_STEP_AUTO_REPLY_FOUND'],
    audit: true,
  },
  updateAction: {
    summary: 'Alterar uma resposta que uma etapa entende',
    params: actionParams,
    body: replyAction,
    returns: action,
    errors: ['ERR_NO_STEP_AUTO_REPLY_FOUND'],
    audit: true,
  },
  removeAction: {
    summary: 'Excluir uma resposta que uma etapa entende',
    params: actionParams,
    returns: done,
    errors: ['ERR_NO_STEP_AUTO_REPLY_FOUND'],
    audit: true,
  },
  convert: {
    summary: 'Converter em fluxo: o chatbot faz o mesmo, e a resposta automática fica desligada',
    returns: z.object({ chatFlowId: z.number().int() }),
    errors: [...found, 'ERR_FLOW_NOT_READY'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    autoReplies: typeof autoReplies
  }
}
