import { z } from 'zod'
import { contract } from '#kit/contract.ts'

/** What the company has, and how its installation is doing; the reference knows it by this family. */
export const subscription = contract('tenants', {
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
