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

/** What is set of a company, field by field. */
export const companyFields = {
  name: text(80, 3),
  status: z.enum(TENANT_STATUSES, { error: 'Escolha a situação.' }),
  maxUsers: limit(10_000),
  maxConnections: limit(1000),
  /** Answers of assistants a month; 0: as many as they like. */
  maxAssistantAnswers: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(0, 'Zero é sem limite.')
    .max(100_000_000, 'No máximo 100.000.000.'),
  /** A CPF or CNPJ, or whatever the company is known by. */
  identity: text(60)
    .refine((value) => !MEANT_AS_DOCUMENT.test(value) || parseDocument(value) !== null, 'Este CPF ou CNPJ não confere.')
    .transform((value) => (MEANT_AS_DOCUMENT.test(value) ? present(parseDocument(value)).value : value)),
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
  /** What the plan leaves out of the features that are sold apart. */
  excludedFeatures: z
    .array(z.string().refine((name) => name in PLAN_FEATURES, 'Recurso desconhecido.'))
    .transform((all) => [...new Set(all)]),
}

const needsDays = {
  path: ['trialPeriod'],
  message: 'Informe quantos dias dura o teste.',
}

/** What a new company needs; what is left out is as a company that signs up has it. */
export const newCompany = z
  .strictObject(companyFields)
  .partial()
  .required({ name: true, status: true, maxUsers: true, maxConnections: true })
  .refine(({ trial, trialPeriod = 0 }) => trial !== 'enabled' || trialPeriod > 0, needsDays)
