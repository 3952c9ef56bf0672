import { resource } from '#kit/resource.ts'
import { reasonTable } from './addresses.ts'

/** Why attendances end. */
export const reasons = resource({
  ...reasonTable,
  table: 'reasons',
  title: 'Demandas',
  singular: 'Demanda',
  gender: 'f',
  fields: {
    name: { label: 'Nome da Demanda', kind: 'text', required: true, max: 60 },
    isActive: {
      label: 'Ativo',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
      hint: 'Desligada, não é mais oferecida ao resolver; os atendimentos que a têm ficam com ela.',
    },
  },
  search: ['name'],
  order: 'name',
  notFound: 'ERR_NO_REASON_FOUND',
  inUse: 'ERR_REASON_TICKETS_EXIST',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    reasons: (typeof reasons)['ops']
  }
}
