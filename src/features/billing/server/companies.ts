import type { z } from 'zod'
import { parseDocument } from '#domain/documents/documents.ts'
import { claimBilling, notifyCompany, updateCompany } from '#features/tenants/server/index.ts'
import { AppError, codeOf, fail, required } from '#kit/errors.ts'
import type { PaymentsAdapter } from '#providers/payments/port.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { BilledCompany } from '../contract.ts'
import type { startForm } from '../forms.ts'
import { adapterOf, asking } from './account.ts'
import { type BilledRow, findBilled, ownerEmail, savePayments, takenCustomers } from './queries.ts'

/** Serializes a company with its billing. */
export const shownBilled = (row: BilledRow): BilledCompany => ({
  tenantId: row.id,
  tenantName: row.name,
  identity: row.identity,
  planValue: row.plan_value,
  billedSince: row.billed_since?.toISOString() ?? null,
  customerId: row.asaas_customer_id,
  overdueSince: row.billed_since && row.overdue_since,
  next: row.next,
  readAt: row.payments_read_at?.toISOString() ?? null,
})

const find = async (platform: Platform, tenantId: number): Promise<BilledRow> =>
  required(await platform.db.askAsPlatform((db) => findBilled(db, tenantId)), 'ERR_NO_TENANT_FOUND')

/** Time after which the claim of a process that died has lapsed. */
const CLAIM_MS = 300_000

const referenceOf = (tenantId: number): string => `guiche-${tenantId}`

/**
 * Charges a company every month. Customer and subscription are looked for at Asaas before they are made, so that a start
 * that was cut off is continued by the next one.
 */
export async function startBilling(
  { platform, tenantId: own, audit }: Pick<SlowCtx, 'platform' | 'tenantId' | 'audit'>,
  tenantId: number,
  { value, nextDueDate }: z.output<typeof startForm>,
): Promise<BilledCompany> {
  const now = platform.now()
  const company = await find(platform, tenantId)
  if (tenantId === 1 || tenantId === own)
    fail('ERR_VALIDATION', { tenantId: 'A empresa que administra a instalação não é cobrada.' })
  if (company.billed_since) fail('ERR_BILLING_ACTIVE')
  const document =
    parseDocument(company.identity)?.value ??
    fail('ERR_VALIDATION', { identity: 'Preencha antes o CPF ou CNPJ da empresa, em Empresas.' })
  const adapter = await adapterOf(platform)
  const lease = new Date(now.getTime() - CLAIM_MS)
  if (!(await platform.db.asPlatform((db) => claimBilling(db, tenantId, now, lease)))) fail('ERR_BILLING_ACTIVE')
  try {
    const email = await platform.db.askAsPlatform((db) => ownerEmail(db, tenantId))
    const [customerId, subscriptionId] = await asking(async () => {
      const customerId =
        company.asaas_customer_id ??
        (await freeCustomer(platform, adapter, document)) ??
        (await adapter.createCustomer({ name: company.name, document, email }))
      const reference = referenceOf(tenantId)
      const subscription = { customerId, reference, value, dueDate: nextDueDate, description: 'Guichê' }
      return [customerId, (await adapter.findSubscription(subscription)) ?? (await adapter.subscribe(subscription))]
    })
    await platform.db.asPlatform((db) =>
      updateCompany(db, tenantId, {
        ...{ billed_since: now, asaas_customer_id: customerId, asaas_subscription_id: subscriptionId },
        payments_read_at: null,
      }),
    )
    audit({ target: { tenantId }, after: { customerId, subscriptionId, value, nextDueDate } })
  } finally {
    await platform.db.asPlatform((db) => updateCompany(db, tenantId, { billing_claimed_at: null }))
  }
  return refreshPayments(platform, tenantId)
}

async function freeCustomer(platform: Platform, adapter: PaymentsAdapter, document: string): Promise<string | null> {
  const found = await adapter.findCustomers(document)
  const taken = await platform.db.askAsPlatform((db) => takenCustomers(db, found))
  return found.find((one) => !taken.includes(one)) ?? null
}

/** Stops charging a company, and unlocks it; its customer and payments remain known. */
export async function stopBilling({ platform, audit }: SlowCtx, tenantId: number): Promise<BilledCompany> {
  const company = await find(platform, tenantId)
  const { asaas_subscription_id: subscriptionId } = company
  if (company.billed_since && subscriptionId) {
    const adapter = await adapterOf(platform)
    await asking(() => adapter.cancel(subscriptionId))
  }
  await platform.db.asPlatform(async (db) => {
    await updateCompany(db, tenantId, { billed_since: null, asaas_subscription_id: null, overdue_since: null })
    await notifyCompany(db, tenantId)
  })
  platform.bus.stale(`settings ${tenantId}`)
  audit({ target: { tenantId }, before: { subscriptionId, customerId: company.asaas_customer_id } })
  return shownBilled(await find(platform, tenantId))
}

/**
 * Reads a company's payments at Asaas and locks or unlocks it accordingly; an older reading never replaces a newer one.
 * Fails for a user as `asking` does.
 */
export async function refreshPayments(platform: Platform, tenantId: number): Promise<BilledCompany> {
  const company = await find(platform, tenantId)
  const { asaas_customer_id: customerId } = company
  if (!company.billed_since || !customerId) return shownBilled(company)
  const adapter = await adapterOf(platform)
  const readAt = platform.now()
  const payments = await asking(() => adapter.payments(customerId))
  const isChanged = await platform.db.asPlatform(async (db) => {
    const before = required(await findBilled(db, tenantId, true), 'ERR_NO_TENANT_FOUND')
    const isOld = before.payments_read_at !== null && before.payments_read_at > readAt
    if (isOld || !before.billed_since || before.asaas_customer_id !== customerId) return false
    const overdue = await savePayments(db, tenantId, payments)
    await updateCompany(db, tenantId, { overdue_since: overdue, payments_read_at: readAt })
    if (overdue === before.overdue_since) return false
    await notifyCompany(db, tenantId)
    return true
  })
  if (isChanged) platform.bus.stale(`settings ${tenantId}`)
  return shownBilled(await find(platform, tenantId))
}

/** Runs work of a job; returns why Asaas refuses it, which only the superadmin can mend, so that it is not repeated. */
export async function refusalIn(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ERR_ASAAS_LATER' || !(error instanceof AppError)) throw error
    return `${code} ${JSON.stringify(error.details ?? {})}`
  }
}
