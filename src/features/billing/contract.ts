import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { day, done, id, isoTime, pageAnswer, pageQuery } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { accountForm, startForm } from './forms.ts'

const account = z.object({
  /** Visible end of the key; null without one. */
  hint: z.string().nullable(),
  isSandbox: z.boolean(),
  /** Address to which Asaas reports payments. */
  webhookUrl: z.string(),
  /** Why it is not registered there, so that payments are only read every hour; null: it is. */
  webhookProblem: z.string().nullable(),
})

/** Account of the installation at Asaas. */
export type BillingAccount = z.output<typeof account>

const payment = z.object({
  id: z.string(),
  /** As Asaas names it (`paymentState` in domain/billing). */
  status: z.string(),
  dueDate: day,
  /** In reais, as decimal text. */
  value: z.string(),
  paidAt: day.nullable(),
  bankSlipUrl: z.string().nullable(),
  invoiceUrl: z.string().nullable(),
})

/** Payment of a company to the installation. */
export type CompanyPayment = z.output<typeof payment>

const billed = z.object({
  tenantId: z.number().int(),
  tenantName: z.string(),
  /** CPF, CNPJ or other identifier of the company. */
  identity: z.string(),
  /** Monthly price of its plan as decimal text; null without a plan. */
  planValue: z.string().nullable(),
  /** Whether it is charged by Asaas, and since when. */
  billedSince: isoTime.nullable(),
  customerId: z.string().nullable(),
  /** Due date of the oldest overdue payment; while there is one, the company is locked. */
  overdueSince: day.nullable(),
  /** Due date and value of the next open payment. */
  next: z.object({ dueDate: day, value: z.string() }).nullable(),
  /** Last time that the payments were read at Asaas. */
  readAt: isoTime.nullable(),
})

/** Company with its billing. */
export type BilledCompany = z.output<typeof billed>

const payments = {
  mode: 'slow',
  query: pageQuery,
  returns: z.object({ data: z.array(payment), company: billed, ...pageAnswer }),
} as const

const ofCompany = z.object({ tenantId: id })
const calls = ['ERR_ASAAS_ACCOUNT', 'ERR_ASAAS_REFUSED', 'ERR_ASAAS_LATER'] as const

/** API contract of the billing of companies by the installation (product facts 2.7). */
export const billing = contract(at.billing, {
  account: { summary: 'A conta do Asaas que cobra as empresas, sem a chave', mode: 'slow', returns: account },
  saveAccount: {
    summary: 'Conectar a conta do Asaas: a chave é conferida lá, e o aviso de pagamentos registrado',
    mode: 'slow',
    body: accountForm,
    returns: account,
    errors: ['ERR_ASAAS_REFUSED', 'ERR_ASAAS_LATER', 'ERR_VALIDATION'],
    audit: true,
  },
  companies: {
    summary: 'As empresas por nome, com a cobrança de cada uma',
    mode: 'slow',
    query: pageQuery.extend({ only: z.enum(['billed', 'overdue']).optional() }),
    returns: z.object({ companies: z.array(billed), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  payments: {
    ...payments,
    summary: 'Os pagamentos de uma empresa, o vencimento mais novo primeiro',
    params: ofCompany,
    errors: ['ERR_NO_TENANT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  start: {
    summary: 'Cobrar uma empresa todo mês pelo Asaas, a partir de um vencimento',
    mode: 'slow',
    params: ofCompany,
    body: startForm,
    returns: billed,
    errors: [...calls, 'ERR_NO_TENANT_FOUND', 'ERR_BILLING_ACTIVE', 'ERR_VALIDATION'],
    audit: true,
  },
  stop: {
    summary: 'Deixar de cobrar uma empresa: a assinatura e as cobranças abertas dela são encerradas no Asaas',
    mode: 'slow',
    params: ofCompany,
    returns: billed,
    errors: [...calls, 'ERR_NO_TENANT_FOUND'],
    audit: true,
  },
  refresh: {
    summary: 'Conferir agora no Asaas os pagamentos de uma empresa',
    mode: 'slow',
    params: ofCompany,
    returns: billed,
    errors: [...calls, 'ERR_NO_TENANT_FOUND', 'ERR_RATE_LIMIT'],
    audit: true,
  },
  own: {
    ...payments,
    summary: 'O que a própria empresa paga pelo Guichê, o vencimento mais novo primeiro',
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  refreshOwn: {
    summary: 'Conferir agora no Asaas os pagamentos da própria empresa',
    mode: 'slow',
    returns: billed,
    errors: [...calls, 'ERR_RATE_LIMIT'],
    audit: true,
  },
  receive: {
    summary: 'O Asaas avisa que um pagamento mudou',
    body: z.looseObject({}),
    returns: done,
    errors: ['ERR_NO_PERMISSION'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    billing: typeof billing
  }
}
