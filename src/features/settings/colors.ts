import { colorMaps } from '#kit/colors.ts'
import { contract } from '#kit/contract.ts'

/** The colours of the company; records of the audit log know them by this family. */
export const colors = contract('tenants', {
  publicColors: {
    method: 'GET',
    path: '/publicSystemColors',
    summary: 'Cores do endereço visitado, aplicadas como variáveis --q-*',
    can: 'public',
    returns: colorMaps,
  },
  colors: {
    method: 'GET',
    path: '/tenants/systemColors',
    summary: 'Cores da empresa',
    can: 'session',
    returns: colorMaps,
  },
  setColors: {
    method: 'PUT',
    path: '/tenants/systemColors',
    summary: 'Guardar as cores da empresa; nenhuma volta às do produto',
    can: 'settings:write',
    body: colorMaps,
    returns: colorMaps,
    touches: ['tenants', 'settings'],
    audit: true,
  },
})
