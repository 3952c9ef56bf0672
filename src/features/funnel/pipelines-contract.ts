import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, id, isoTime } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { pipelineForm, stageForm } from './forms.ts'

const whole = z.number().int()

const stage = z.object({
  id: whole,
  pipelineId: whole,
  name: z.string(),
  color: z.string(),
  /** Position of the column, from 1. */
  order: whole,
  chance: whole,
  staleDays: whole,
})

const pipeline = z.object({
  id: whole,
  name: z.string(),
  stages: z.array(stage),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Pipeline with its stages as the browser gets it. */
export type Pipeline = z.output<typeof pipeline>

const paged = z.object({ cursor: z.string().max(500).optional() })
const listOf = <T extends z.ZodType>(row: T) =>
  z.object({ data: z.array(row), total: whole, nextCursor: z.string().nullable() })
const replaced = z.object({ moved: whole })

/** API contract of pipelines with their stages. */
export const pipelines = contract(at.pipelines, {
  list: { summary: 'Os funis com as suas etapas', query: paged, returns: listOf(pipeline) },
  get: { summary: 'Um funil', returns: pipeline, errors: ['ERR_NO_PIPELINE_FOUND'] },
  create: {
    summary: 'Novo funil, com as etapas na sua ordem',
    body: pipelineForm,
    returns: pipeline,
    errors: ['ERR_MAX_PIPELINES', 'ERR_DUPLICATED_PIPELINE'],
    audit: true,
  },
  update: {
    summary: 'Alterar um funil e as suas etapas; as que faltam são excluídas, se ninguém está nelas',
    body: pipelineForm,
    returns: pipeline,
    errors: [
      'ERR_NO_PIPELINE_FOUND',
      'ERR_NO_PIPELINE_STAGE_FOUND',
      'ERR_PIPELINE_STAGE_IN_USE',
      'ERR_DUPLICATED_PIPELINE',
    ],
    audit: true,
  },
  remove: {
    summary: 'Excluir um funil sem oportunidades',
    returns: done,
    errors: ['ERR_NO_PIPELINE_FOUND', 'ERR_PIPELINE_IN_USE'],
    audit: true,
  },
  replace: {
    summary: 'Levar as oportunidades de um funil para uma etapa de outro, e excluí-lo',
    mode: 'slow',
    body: z.strictObject({ stageId: id }),
    returns: replaced,
    errors: ['ERR_NO_PIPELINE_FOUND', 'ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
})

/** API contract of single pipeline stages. */
export const pipelineStages = contract(at.pipelineStages, {
  list: {
    summary: 'As etapas dos funis, na sua ordem',
    query: paged.extend({ pipelineId: id.optional() }),
    returns: listOf(stage),
  },
  create: {
    summary: 'Nova etapa, no fim do funil',
    body: stageForm.extend({ pipelineId: id }),
    returns: stage,
    errors: ['ERR_NO_PIPELINE_FOUND', 'ERR_MAX_PIPELINE_STAGES'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma etapa',
    body: stageForm.partial(),
    returns: stage,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma etapa sem oportunidades',
    returns: done,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND', 'ERR_PIPELINE_STAGE_IN_USE', 'ERR_LAST_PIPELINE_STAGE'],
    audit: true,
  },
  replace: {
    summary: 'Levar as oportunidades de uma etapa para o fim de outra, e excluí-la',
    mode: 'slow',
    body: z.strictObject({ stageId: id }),
    returns: replaced,
    errors: ['ERR_NO_PIPELINE_STAGE_FOUND', 'ERR_LAST_PIPELINE_STAGE'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    pipelines: typeof pipelines
    pipelineStages: typeof pipelineStages
  }
}
