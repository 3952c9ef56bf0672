import type { ListedSpec, TableSpec } from '#kit/resource.ts'

/** Where templates stand, as people call it. */
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

/** What templates are for, as people call it. */
export const CATEGORIES = { MARKETING: 'Marketing', UTILITY: 'Utilidade', AUTHENTICATION: 'Autenticação' } as const

/** How templates are received by those who get them. */
export const QUALITIES = { GREEN: 'Alta', YELLOW: 'Média', RED: 'Baixa' } as const

/** The rows of message templates: what their list, filters and statements are drawn from. */
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
