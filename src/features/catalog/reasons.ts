import { resource } from '#kit/resource.ts'
import { reasonTable } from './addresses.ts'

/** Resource of close reasons. */
export const reasons = resource({
  ...reasonTable,
  table: 'reasons',
  title: 'Motivos',
  singular: 'Motivo',
  gender: 'm',
  fields: {
    name: { label: 'Nome do motivo', kind: 'text', required: true, max: 60 },
    isActive: {
      label: 'Ativo',
      kind: 'boolean',
      column: 'is_active',
      default: true,
      filter: true,
      hint: 'Inativo, não é mais oferecido ao resolver; os atendimentos que o têm ficam com ele.',
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
