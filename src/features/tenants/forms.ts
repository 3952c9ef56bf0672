import { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { present } from '#domain/present.ts'
import { id, onOff, text } from '#kit/fields.ts'
import { PLAN_FEATURES } from '#kit/plan-features.ts'
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

/** Fields of a company's form. */
export const companyFields = {
  name: text(80, 3),
  status: z.enum(TENANT_STATUSES, { error: 'Escolha a situação.' }),
  maxUsers: limit(10_000),
  maxConnections: limit(1000),
  /** Maximum number of assistants' answers per month; 0: no limit. */
  maxAssistantAnswers: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(0, 'Zero é sem limite.')
    .max(100_000_000, 'No máximo 100.000.000.'),
  /** CPF or CNPJ, or any other identifier. */
  identity: text(60)
    .refine((value) => !MEANT_AS_DOCUMENT.test(value) || parseDocument(value) !== null, 'Este CPF ou CNPJ não confere.')
    .transform((value) => (MEANT_AS_DOCUMENT.test(value) ? present(parseDocument(value)).value : value)),
  trial: onOff,
  /** Days from the start of the trial. */
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
  /** Route names, true = hidden (decision A1); names without a screen are kept. */
  menuVisibility: z
    .record(z.string(), z.boolean())
    .refine((map) => Object.keys(map).every((name) => /^[\w-]{1,60}$/.test(name)), 'Nome de rota inválido.')
    .refine((map) => Object.keys(map).length <= 100, 'No máximo 100 rotas.'),
  allowedChannels: z.array(z.enum(channelTypeIds(), { error: 'Canal desconhecido.' })),
  /** Features excluded from the plan. */
  excludedFeatures: z
    .array(z.string().refine((name) => name in PLAN_FEATURES, 'Recurso desconhecido.'))
    .transform((all) => [...new Set(all)]),
}

const needsDays = {
  path: ['trialPeriod'],
  message: 'Informe quantos dias dura o teste.',
}

/** Schema of a new company; omitted fields get the defaults of a signup. */
export const newCompany = z
  .strictObject(companyFields)
  .partial()
  .required({ name: true, status: true, maxUsers: true, maxConnections: true })
  .refine(({ trial, trialPeriod = 0 }) => trial !== 'enabled' || trialPeriod > 0, needsDays)
