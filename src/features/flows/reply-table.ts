import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Display names of the moments at which auto replies start. */
export const MOMENTS = { 0: 'Entrada (criação do atendimento)', 1: 'Encerramento (resolução do atendimento)' } as const

/** Table definition of auto replies: source of their list, filters and statements. */
export const replyTable = {
  table: 'auto_replies',
  title: 'Respostas automáticas',
  singular: 'Resposta automática',
  gender: 'f',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 100 },
    action: { label: 'Quando', kind: 'choice', options: MOMENTS, required: true, default: '0', filter: true },
    celularTeste: { label: 'Número para teste', kind: 'text', max: 30, column: 'test_number' },
    isActive: { label: 'Ativa', kind: 'boolean', default: false, column: 'is_active', filter: true },
  },
  search: ['name'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec
