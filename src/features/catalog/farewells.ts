import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { contract } from '#kit/contract.ts'
import { done } from '#kit/fields.ts'
import { resource } from '#kit/resource.ts'
import { farewellTable } from './addresses.ts'
import { allFarewells as at } from './farewells-addresses.ts'

/** Resource of farewells, the texts with which agents end tickets. */
export const farewells = resource({
  ...farewellTable,
  table: 'farewells',
  title: 'Despedidas',
  singular: 'Despedida',
  gender: 'f',
  fields: {
    name: { label: 'Nome da Despedida', kind: 'text', required: true, max: 60 },
    message: { label: 'Mensagem', kind: 'template', required: true, max: 1000, variables: TEMPLATE_VARIABLES },
  },
  search: ['name', 'message'],
  order: 'name',
  notFound: 'ERR_NO_FAREWELL_FOUND',
})

/** API contract of operations on all farewells at once. */
export const allFarewells = contract(at, {
  remove: { summary: 'Excluir todas as despedidas', returns: done, audit: true },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    farewells: (typeof farewells)['ops']
    allFarewells: typeof allFarewells
  }
}
