import { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { contract } from '#kit/contract.ts'
import { id, idParams, isoTime, onOff, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { channelTypeIds } from '#providers/channels/configs.ts'

/** Whether a company is served at all. */
export const TENANT_STATUSES = ['active', 'inactive'] as const

const limit = (most: number) =>
  z.number({ error: 'Informe um número.' }).int('Informe um número inteiro.').min(1, 'Ao menos 1.').max(most)

// Eleven or fourteen digits, or the mask of a CNPJ with letters: it is meant as one, so it has to be right.
const MEANT_AS_DOCUMENT =
  /^(\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}|\d{14})$/i

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

const domain = z
  .string({ error: 'Informe o endereço.' })
  .trim()
  .toLowerCase()
  .regex(HOST, 'Informe só o endereço, como atendimento.empresa.com.br.')

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('pt-BR', { timeZone: name })
    return /^[A-Z]/.test(name)
  } catch {
    return false
  }
}

const fields = {
  name: text(80, 3),
  status: z.enum(TENANT_STATUSES, { error: 'Escolha a situação.' }),
  maxUsers: limit(10_000),
  maxConnections: limit(1000),
  /** A CPF or CNPJ, or whatever the company is known by. */
  identity: text(60)
    .refine((value) => !MEANT_AS_DOCUMENT.test(value) || parseDocument(value) !== null, 'Este CPF ou CNPJ não confere.')
    .transform((value) => (MEANT_AS_DOCUMENT.test(value) ? parseDocument(value)!.value : value)),
  trial: onOff,
  /** In days, from when the trial was switched on. */
  trialPeriod: z
    .number({ error: 'Informe os dias.' })
    .int('Informe os dias.')
    .min(0, 'Informe os dias.')
    .max(365, 'No máximo 365 dias.'),
  planId: id.nullable(),
  timezone: text(60, 1).refine(isZone, 'Escolha um fuso horário.'),
  domains: z
    .array(domain)
    .max(20, 'No máximo 20 domínios.')
    .transform((all) => [...new Set(all)]),
  /** Route names, true = hidden (decision A1); names that no screen has yet are kept. */
  menuVisibility: z
    .record(z.string(), z.boolean())
    .refine((map) => Object.keys(map).every((name) => /^[\w-]{1,60}$/.test(name)), 'Nome de rota inválido.')
    .refine((map) => Object.keys(map).length <= 100, 'No máximo 100 rotas.'),
  allowedChannels: z.array(z.enum(channelTypeIds(), { error: 'Canal desconhecido.' })),
}

const needsDays = {
  path: ['trialPeriod'],
  message: 'Informe quantos dias dura o teste.',
}

/** What a new company needs; what is left out is as a company that signs up has it. */
export const newCompany = z
  .strictObject(fields)
  .partial()
  .required({ name: true, status: true, maxUsers: true, maxConnections: true })
  .refine(({ trial, trialPeriod = 0 }) => trial !== 'enabled' || trialPeriod > 0, needsDays)

/** What may be changed of a company; what is left out stays. */
export const companyChange = z.strictObject(fields).partial()

const count = z.number().int()

// What everybody in a company may know of it.
const own = z.object({
  id: count,
  name: z.string(),
  status: z.enum(TENANT_STATUSES),
  maxUsers: count,
  maxConnections: count,
  /** Active users, and connections that were not removed. */
  users: count,
  connections: count,
  timezone: z.string(),
  trial: onOff,
  trialPeriod: count,
  trialEndsAt: isoTime.nullable(),
  allowedChannels: z.array(z.string()),
  menuVisibility: z.record(z.string(), z.boolean()),
  createdAt: isoTime,
})

const company = own.extend({
  identity: z.string(),
  domains: z.array(z.string()),
  planId: count.nullable(),
  planName: z.string().nullable(),
  /** "Usuário Admin": null while there is nobody, or who it was has left. */
  ownerName: z.string().nullable(),
  ownerEmail: z.string().nullable(),
  updatedAt: isoTime,
})

const seen = z.union([company, own])

/** A company as the superadmin sees it. */
export type Company = z.output<typeof company>
/** What the superadmin may say of a company. */
export type CompanyChange = z.output<typeof companyChange>

const metrics = z.object({
  totalMessages: z.object({ sent: count, received: count }),
  tickets: z.object({ total: count, open: count, pending: count, closed: count, schedule: count }),
  contacts: z.object({ total: count }),
})

/** How much a company has of everything. */
export type CompanyMetrics = z.output<typeof metrics>

const touches = ['companies', 'userTenants', 'plans']

/** The companies of the installation (product facts 2.1–2.3); whoever is no superadmin sees the own one. */
export const companies = contract('companies', {
  list: {
    method: 'GET',
    path: '/tenants',
    summary: 'As empresas por nome; para quem não é superadministrador, a própria',
    can: 'session',
    mode: 'slow',
    query: pageQuery.extend({ status: z.enum(TENANT_STATUSES).optional() }),
    returns: z.object({ tenants: z.array(seen), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    method: 'GET',
    path: '/tenants/:id',
    summary: 'Uma empresa, numa lista de uma; para quem não é superadministrador, só a própria',
    can: 'session',
    mode: 'slow',
    params: idParams,
    returns: z.array(seen).length(1),
    errors: ['ERR_NO_TENANT_FOUND'],
  },
  create: {
    method: 'POST',
    path: '/tenants',
    summary: 'Criar uma empresa; o primeiro usuário é cadastrado em seguida',
    can: 'platform:write',
    mode: 'slow',
    body: newCompany,
    returns: company,
    errors: ['ERR_NO_PLAN_FOUND', 'ERR_DUPLICATED', 'ERR_VALIDATION'],
    touches,
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/tenantsUpdate/:id',
    summary: 'Alterar uma empresa; vale na hora para quem está dentro',
    can: 'platform:write',
    mode: 'slow',
    params: idParams,
    body: companyChange,
    returns: company,
    errors: ['ERR_NO_TENANT_FOUND', 'ERR_NO_PLAN_FOUND', 'ERR_DUPLICATED', 'ERR_VALIDATION'],
    touches,
    audit: true,
  },
  metrics: {
    method: 'POST',
    path: '/tenantsMetrics',
    summary: 'Quantas mensagens, atendimentos e contatos uma empresa tem',
    can: 'platform:read',
    mode: 'slow',
    body: z.strictObject({ tenantId: id }),
    returns: metrics,
    errors: ['ERR_NO_TENANT_FOUND', 'ERR_COUNT_TIMEOUT'],
  },
})
