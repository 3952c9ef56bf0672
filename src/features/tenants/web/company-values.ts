import { formatDocument } from '#domain/documents/documents.ts'
import type { CallInput } from '#kit/contract.ts'
import { channelTypeIds } from '#providers/channels/configs.ts'
import { t } from '#web/t.ts'
import type { Company, companies } from '../companies.ts'
import { newCompany } from '../forms.ts'

/** Whether a row says all that the superadmin may know. */
export const isWhole = (row: object): row is Company => 'domains' in row

type Stored = Pick<
  Company,
  | 'name'
  | 'status'
  | 'identity'
  | 'timezone'
  | 'planId'
  | 'maxUsers'
  | 'maxConnections'
  | 'maxAssistantAnswers'
  | 'trialPeriod'
  | 'allowedChannels'
  | 'excludedFeatures'
  | 'menuVisibility'
>

/** Form values of a company; domains one per line. */
export type CompanyValues = Stored & { trial: boolean; domains: string }

/** Initial form values of a new company. */
export const emptyCompany: CompanyValues = {
  name: '',
  status: 'active',
  identity: '',
  timezone: 'America/Sao_Paulo',
  domains: '',
  planId: null,
  maxUsers: 10,
  maxConnections: 5,
  maxAssistantAnswers: 0,
  trial: false,
  trialPeriod: 7,
  allowedChannels: channelTypeIds(),
  excludedFeatures: [],
  menuVisibility: {},
}

/** Returns the form values of a stored company. */
export const valuesOf = (company: Company): CompanyValues => ({
  name: company.name,
  status: company.status,
  identity: formatDocument(company.identity),
  timezone: company.timezone,
  domains: company.domains.join('\n'),
  planId: company.planId,
  maxUsers: company.maxUsers,
  maxConnections: company.maxConnections,
  maxAssistantAnswers: company.maxAssistantAnswers,
  trial: company.trial === 'enabled',
  trialPeriod: company.trialPeriod || emptyCompany.trialPeriod,
  allowedChannels: company.allowedChannels,
  excludedFeatures: company.excludedFeatures,
  menuVisibility: company.menuVisibility,
})

type Body = CallInput<typeof companies.create>['body']

/** Returns the request body of a new company. */
export const newBody = ({ trial, trialPeriod, allowedChannels, domains, ...values }: CompanyValues): Body => ({
  ...values,
  domains: domains.split(/[\s,;]+/).filter(Boolean),
  allowedChannels,
  trial: trial ? 'enabled' : 'disabled',
  ...(trial ? { trialPeriod } : {}),
})

/** Returns the request body of a change: the changed fields, a trial always with its days. */
export function changedBody(values: CompanyValues, changed: readonly string[]): Partial<Body> {
  const isSent = (key: string) =>
    changed.includes(key) || (['trial', 'trialPeriod'].includes(key) && changed.some((one) => one.startsWith('trial')))
  return Object.fromEntries(Object.entries(newBody(values)).filter(([key]) => isSent(key)))
}

/** Validator of the form, from the API contract. */
export const checker = { safeParse: (values: CompanyValues) => newCompany.safeParse(newBody(values)) }

/** Sections of the form with their fields; usage figures are read-only. */
export const sections = [
  { key: 'dados', name: t('Dados'), fields: ['name', 'status', 'identity', 'timezone', 'domains'] },
  {
    key: 'plano',
    name: t('Plano e limites'),
    fields: [
      'planId',
      'maxUsers',
      'maxConnections',
      'maxAssistantAnswers',
      'trial',
      'trialPeriod',
      'allowedChannels',
      'excludedFeatures',
    ],
  },
  { key: 'menu', name: t('Menu'), fields: ['menuVisibility'] },
  { key: 'metricas', name: t('Métricas'), fields: [] },
] as const satisfies readonly { key: string; name: string; fields: readonly (keyof CompanyValues)[] }[]

/** Key of a form section. */
export type Section = (typeof sections)[number]['key']
