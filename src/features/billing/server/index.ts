import { z } from 'zod'
import { fail, required } from '#kit/errors.ts'
import { customerOfReport } from '#providers/payments/adapters.ts'
import { unit } from '#server/context.ts'
import { type Tx, transactionTime } from '#server/db/db.ts'
import { addPlatformJob } from '#server/db/platform-jobs.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import { countOf, pageOf, pageStartOf } from '#server/paging.ts'
import type { Platform } from '#server/platform.ts'
import { billing } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { isFromAsaas, saveAccount, shownAccount } from './account.ts'
import { refreshPayments, refusalIn, shownBilled, startBilling, stopBilling } from './companies.ts'
import {
  companiesToRead,
  companyOfCustomer,
  countBilled,
  countPayments,
  findBilled,
  keysOfBilling,
  listBilled,
  listPayments,
} from './queries.ts'

export { isConnected } from './account.ts'

const EVERY_MS = 3_600_000

/** Reads the payments of a company at Asaas. */
export const readPaymentsJob = job({
  name: 'billing:read',
  schema: z.object({}),
  async run(platform, { tenantId }) {
    const refusal = await refusalIn(() => refreshPayments(platform, tenantId))
    if (refusal) platform.log.warn({ tenantId, refusal }, 'payments cannot be read at Asaas')
  },
})

/** Begins to charge a company that signed up. */
export const startBillingJob = job({
  name: 'billing:start',
  schema: z.object({ companyId: z.number(), value: z.string(), nextDueDate: z.string() }),
  async run(platform, { tenantId, companyId, value, nextDueDate }) {
    const refusal = await refusalIn(() =>
      startBilling({ platform, tenantId, audit: () => {} }, companyId, { value, nextDueDate }),
    )
    if (refusal) platform.log.warn({ companyId, refusal }, 'a new company is not charged')
  },
})

/** Days from signing up to the first due date, for plans without trial. */
const FIRST_DUE_DAYS = 30

/** Has a company that signs up charged by its plan's price, from the end of its trial; check `isConnected` before. */
export async function billNewCompany(
  db: Tx,
  { companyId, value, trialEndsAt }: { companyId: number; value: string; trialEndsAt: Date | null },
): Promise<void> {
  if (Number(value) <= 0) return
  const due = trialEndsAt ?? new Date(transactionTime(db).getTime() + FIRST_DUE_DAYS * 86_400_000)
  await addPlatformJob(db, startBillingJob, { companyId, value, nextDueDate: due.toISOString().slice(0, 10) })
}

const enqueueReading = (platform: Platform, tenantId: number): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) =>
    ctx.enqueue(readPaymentsJob, {}, { key: `billing ${tenantId}` }),
  )

/** Has the payments of every billed company read that were not in the last hour: a report of Asaas may be lost. */
export async function readOutstanding(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - EVERY_MS)
  for (const id of await platform.db.askAsPlatform((db) => companiesToRead(db, before)))
    await enqueueReading(platform, id)
}

const paymentsOf = (platform: Platform, id: number, query: { pageNumber: number; cursor?: string | undefined }) =>
  platform.db.asPlatform(async (db) => {
    const company = required(await findBilled(db, id), 'ERR_NO_TENANT_FOUND')
    const { rows, paging } = pageOf(await listPayments(db, id, pageStartOf(query, 2)), (row) => [row.due_date, row.id])
    const data = rows.map((row) => ({
      ...{ id: row.id, status: row.status, dueDate: row.due_date, value: row.value, paidAt: row.paid_at },
      ...{ bankSlipUrl: row.bank_slip_url, invoiceUrl: row.invoice_url },
    }))
    return { data, company: shownBilled(company), ...countOf(await countPayments(db, id)), ...paging }
  })

async function refresh({ platform, tenantId: own }: SlowCtx, tenantId: number) {
  await platform.limits.use('providerTest', String(own))
  return refreshPayments(platform, tenantId)
}

const routes = implement(billing, {
  account: ({ platform }) => shownAccount(platform),
  saveAccount: (ctx, { body }) => saveAccount(ctx, body.asaasToken),
  companies: ({ platform }, { query }) => {
    const wanted = { search: query.searchParam, only: query.only }
    return platform.db.asPlatform(async (db) => {
      const found = await listBilled(db, wanted, pageStartOf(query, 2))
      const { rows, paging } = pageOf(found, (row) => [row.sort_name, row.id])
      return { companies: rows.map(shownBilled), ...countOf(await countBilled(db, wanted)), ...paging }
    })
  },
  payments: ({ platform }, { params, query }) => paymentsOf(platform, params.tenantId, query),
  own: ({ platform, tenantId }, { query }) => paymentsOf(platform, tenantId, query),
  start: (ctx, { params, body }) => startBilling(ctx, params.tenantId, body),
  stop: (ctx, { params }) => stopBilling(ctx, params.tenantId),
  refresh: (ctx, { params }) => refresh(ctx, params.tenantId),
  refreshOwn: (ctx) => refresh(ctx, ctx.tenantId),
  // What an event says may be late or out of order: it only has the payments read. Any other answer than 200 counts as failed.
  receive: async ({ platform }, { body, request }) => {
    if (!(await isFromAsaas(platform, request.header('asaas-access-token')))) return fail('ERR_NO_PERMISSION')
    const customer = customerOfReport(body)
    const tenantId = customer && (await platform.db.askAsPlatform((db) => companyOfCustomer(db, customer)))
    if (tenantId) await enqueueReading(platform, tenantId)
    return { message: 'ok' }
  },
})

/** Server part of the feature `billing`: what the installation charges its companies. */
export const billingFeature: Feature = {
  name: 'billing',
  titles: { billing: 'Cobrança das empresas' },
  errors,
  permissions,
  routes,
  jobs: [readPaymentsJob, startBillingJob],
  encryptedWith: keysOfBilling,
  async start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    const work = () =>
      readOutstanding(platform).catch((err) => platform.log.warn({ err }, 'payments could not be read'))
    await work()
    const timer = setInterval(work, EVERY_MS / 4)
    return async () => clearInterval(timer)
  },
}
