import { z } from 'zod'
import { colorMaps } from '#kit/colors.ts'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

/** The company and the installation as everybody logged in may see them. */
export const tenants = contract(at.tenants, {
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
  version: {
    summary: 'Versão instalada e saúde das partes',
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

declare module '#kit/contract.ts' {
  interface Contracts {
    tenants: typeof tenants
  }
}
