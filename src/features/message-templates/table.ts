import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Display names of template statuses. */
export const STATUSES = {
  APPROVED: 'Aprovado',
  PENDING: 'Em análise',
  REJECTED: 'Recusado',
  PAUSED: 'Pausado',
  DISABLED: 'Desativado',
  IN_APPEAL: 'Em recurso',
  PENDING_DELETION: 'Sendo excluído',
  LIMIT_EXCEEDED: 'No limite',
} as const

/** Display names of template categories. */
export const CATEGORIES = { MARKETING: 'Marketing', UTILITY: 'Utilidade', AUTHENTICATION: 'Autenticação' } as const

/** Display names of template qualities, which depend on the recipients' reactions. */
export const QUALITIES = { GREEN: 'Alta', YELLOW: 'Média', RED: 'Baixa' } as const

/** Table definition of message templates, from which list, filters and SQL are derived. */
export const templateTable = {
  table: 'message_templates',
  title: 'Modelos de mensagem',
  singular: 'Modelo',
  gender: 'm',
  fields: {
    name: { label: 'Nome', kind: 'text', required: true, max: 512 },
    language: { label: 'Idioma', kind: 'text', required: true, max: 20 },
    category: { label: 'Categoria', kind: 'choice', options: CATEGORIES, required: true, filter: true },
    status: { label: 'Situação', kind: 'choice', options: STATUSES, required: true, filter: true },
    quality: { label: 'Qualidade', kind: 'choice', options: QUALITIES, filter: true },
  },
  search: ['name', 'language'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec
