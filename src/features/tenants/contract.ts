import { z } from 'zod'
import { colorMaps } from '#kit/colors.ts'
import { contract } from '#kit/contract.ts'

/** The company and the installation as everybody logged in may see them. */
export const tenants = contract('tenants', {
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
  version: {
    method: 'GET',
    path: '/check-version',
    summary: 'Versão instalada e saúde das partes',
    can: 'session',
    mode: 'slow',
    returns: z.object({
      version: z.string(),
      node: z.string(),
      database: z.string(),
      uptimeSeconds: z.number(),
      tenantName: z.string(),
      checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
      limits: z.object({
        users: z.number(),
        maxUsers: z.number(),
        connections: z.number(),
        maxConnections: z.number(),
      }),
    }),
  },
})
