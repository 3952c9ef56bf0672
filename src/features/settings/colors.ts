import { colorMaps } from '#kit/colors.ts'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

/** API contract of the company's colours. */
export const colors = contract(at.colors, {
  publicColors: {
    summary: 'Cores do endereço visitado, aplicadas como variáveis --q-*',
    returns: colorMaps,
  },
  colors: {
    summary: 'Cores da empresa',
    returns: colorMaps,
  },
  setColors: {
    summary: 'Guardar as cores da empresa; nenhuma volta às do produto',
    body: colorMaps,
    returns: colorMaps,
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    tenants: typeof colors
  }
}
