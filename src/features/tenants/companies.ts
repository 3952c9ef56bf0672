import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { id, isoTime, many, onOff, pageAnswer, pageQuery } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { companyFields, newCompany, TENANT_STATUSES } from './forms.ts'

/** Schema of changes to a company; omitted fields remain unchanged. */
export const companyChange = z.strictObject(companyFields).partial()

const count = z.number().int()

// Company data visible to its own users.
const own = z.object({
  id: count,
  name: z.string(),
  status: z.enum(TENANT_STATUSES),
  maxUsers: count,
  maxConnections: count,
  /** Maximum number of assistants' answers per month; 0: no limit. */
  maxAssistantAnswers: count,
  /** Numbers of active users, and of connections not removed. */
  users: count,
  connections: count,
  timezone: z.string(),
  trial: onOff,
  trialPeriod: count,
  trialEndsAt: isoTime.nullable(),
  allowedChannels: z.array(z.string()),
  excludedFeatures: z.array(z.string()),
  menuVisibility: z.record(z.string(), z.boolean()),
  createdAt: isoTime,
})

const company = own.extend({
  identity: z.string(),
  domains: z.array(z.string()),
  planId: count.nullable(),
  planName: z.string().nullable(),
  /** "Usuário Admin": null if there is none, or the user has left. */
  ownerName: z.string().nullable(),
  ownerEmail: z.string().nullable(),
  updatedAt: isoTime,
})

const seen = z.union([company, own])

/** Company as the superadmin sees it. */
export type Company = z.output<typeof company>
/** Changes to a company by the superadmin. */
export type CompanyChange = z.output<typeof companyChange>

const metrics = z.object({
  totalMessages: z.object({ sent: count, received: count }),
  tickets: z.object({ total: count, open: count, pending: count, closed: count, schedule: count }),
  contacts: z.object({ total: count }),
})

/** Usage figures of a company. */
export type CompanyMetrics = z.output<typeof metrics>

/** Number of days of a trend, up to today. */
export const TREND_DAYS = 30

/** API contract of the installation's companies (product facts 2.1–2.3); users other than the superadmin see their own. */
export const companies = contract(at.companies, {
  list: {
    summary: 'As empresas por nome; para quem não é superadministrador, a própria',
    mode: 'slow',
    query: pageQuery.extend({ status: z.enum(TENANT_STATUSES).optional(), only: z.enum(['trial', 'full']).optional() }),
    returns: z.object({ tenants: z.array(seen), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  totals: {
    summary: 'Quantas empresas há, com quantos usuários e canais, e quantas estão em teste, no limite e inativas',
    mode: 'slow',
    returns: z.object({
      ...{ companies: count, users: count, connections: count, active: count, inactive: count },
      /**
       * Numbers of companies on trial, of trials that end within a week, and of companies at their limit of users or
       * connections.
       */
      ...{ trial: count, ending: count, full: count },
    }),
  },
  get: {
    summary: 'Uma empresa, numa lista de uma; para quem não é superadministrador, só a própria',
    mode: 'slow',
    returns: z.array(seen).length(1),
    errors: ['ERR_NO_TENANT_FOUND'],
  },
  create: {
    summary: 'Criar uma empresa; o primeiro usuário é cadastrado em seguida',
    mode: 'slow',
    body: newCompany,
    returns: company,
    errors: ['ERR_NO_PLAN_FOUND', 'ERR_DUPLICATED', 'ERR_VALIDATION'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma empresa; vale na hora para quem está dentro',
    mode: 'slow',
    body: companyChange,
    returns: company,
    errors: ['ERR_NO_TENANT_FOUND', 'ERR_NO_PLAN_FOUND', 'ERR_DUPLICATED', 'ERR_VALIDATION'],
    audit: true,
  },
  trends: {
    summary:
      'Quantas mensagens cada uma destas empresas teve em cada um dos últimos 30 dias; null onde são demais para contar',
    mode: 'slow',
    query: z.object({ ids: many(id) }),
    returns: z.object({ trends: z.array(z.object({ id: count, days: z.array(count).length(TREND_DAYS).nullable() })) }),
  },
  metrics: {
    summary: 'Quantas mensagens, atendimentos e contatos uma empresa tem',
    mode: 'slow',
    body: z.strictObject({ tenantId: id }),
    returns: metrics,
    errors: ['ERR_NO_TENANT_FOUND', 'ERR_COUNT_TIMEOUT'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    companies: typeof companies
  }
}
