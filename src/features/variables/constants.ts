import { resource } from '#kit/resource.ts'
import { constantTable } from './addresses.ts'

/** Resource of constants, a company's values that its texts use by name. */
export const constants = resource({
  ...constantTable,
  table: 'template_constants',
  title: 'Constantes',
  singular: 'Constante',
  gender: 'f',
  fields: {
    name: {
      label: 'Nome',
      kind: 'text',
      required: true,
      max: 40,
      hint: 'Sem espaços nem acentos: site, horario_sabado. Nos textos fica entre chaves: {{site}}.',
    },
    value: { label: 'Valor', kind: 'longtext', required: true, max: 1000 },
  },
  search: ['name', 'value'],
  order: 'name',
  notFound: 'ERR_NO_CONSTANT_FOUND',
  inUse: 'ERR_CONSTANT_USED',
})

declare module '#kit/contract.ts' {
  interface Contracts {
    constants: (typeof constants)['ops']
  }
}
