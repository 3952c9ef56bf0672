import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

/** API contract of the company's plan and the installation's state. */
export const subscription = contract(at.subscription, {
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
        /** Assistants' answers this month; `max…` 0: no limit. */
        assistantAnswers: z.number(),
        maxAssistantAnswers: z.number(),
      }),
    }),
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    subscription: typeof subscription
  }
}
