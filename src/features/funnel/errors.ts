import type { ErrorPart } from '#kit/errors.ts'

/** Errors of funnel requests: status and text by code. */
export const errors = {
  ERR_NO_PIPELINE_FOUND: { status: 404, text: 'Funil não encontrado.' },
  ERR_NO_PIPELINE_STAGE_FOUND: { status: 404, text: 'Etapa do funil não encontrada.' },
  ERR_NO_OPPORTUNITY_FOUND: { status: 404, text: 'Oportunidade não encontrada.' },
  ERR_NO_CONTACT_EMAIL: { status: 422, text: 'O contato não tem e-mail.' },
  ERR_NO_OPPORTUNITY_NOTE_FOUND: { status: 404, text: 'Nota não encontrada.' },
  ERR_PIPELINE_IN_USE: { status: 409, text: 'Há oportunidades neste funil. Diga para onde elas vão.' },
  ERR_PIPELINE_STAGE_IN_USE: { status: 409, text: 'Há oportunidades nesta etapa. Diga para onde elas vão.' },
  ERR_LAST_PIPELINE_STAGE: { status: 409, text: 'Um funil tem ao menos uma etapa.' },
  ERR_MAX_PIPELINES: { status: 409, text: 'A empresa já tem 50 funis, e mais não cabem.' },
  ERR_MAX_PIPELINE_STAGES: { status: 409, text: 'O funil já tem 30 etapas, e mais não cabem.' },
  ERR_NO_OPPORTUNITY_FIELD_FOUND: { status: 404, text: 'Campo não encontrado.' },
  ERR_OPPORTUNITY_FIELD_USED: {
    status: 409,
    text: 'Há oportunidades com este campo preenchido. Filtre-as no funil por ele e esvazie-o antes de excluir.',
  },
  ERR_MAX_OPPORTUNITY_FIELDS: { status: 409, text: 'Já há 50 campos, e mais não cabem.' },
  ERR_NO_PIPELINE_ACTION_FOUND: { status: 404, text: 'Automação do funil não encontrada.' },
  ERR_DUPLICATED_PIPELINE: { status: 409, text: 'Já existe um funil com este nome.' },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    funnel: typeof errors
  }
}
