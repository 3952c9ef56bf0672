import { z } from 'zod'
import { connectionFields } from '#features/connections/connection-events.ts'
import { contract } from '#kit/contract.ts'
import { pageAnswer, pageQuery } from '#kit/fields.ts'
import * as at from './addresses.ts'

const { id, name, type, status, cause, number, isDefault, updatedAt } = connectionFields

const channel = z.object({
  ...{ id, name, type, status, cause, number, isDefault, updatedAt },
  /** Whether it was ever connected. */
  wasConnected: z.boolean(),
  tenantId: z.number().int(),
  tenantName: z.string(),
  isTenantActive: z.boolean(),
})

/** Channel with its company. */
export type CompanyChannel = z.output<typeof channel>

/** API contract of the channels of all companies (product facts 2.9). */
export const companyChannels = contract(at.companyChannels, {
  list: {
    summary: 'Os canais de todas as empresas, por empresa, com a situação de cada um; sem segredos',
    mode: 'slow',
    query: pageQuery.extend({ only: z.enum(['connected', 'down']).optional() }),
    returns: z.object({
      connections: z.array(channel),
      /** `down`: not connected now, but once. */
      totals: z.object({ all: z.number().int(), connected: z.number().int(), down: z.number().int() }),
      ...pageAnswer,
    }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    companyChannels: typeof companyChannels
  }
}
