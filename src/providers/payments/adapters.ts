import { asaasAdapter } from './asaas/adapter.ts'
import { customerOf } from './asaas/payload.ts'
import type { MakePaymentsAdapter } from './port.ts'

/** Factory of the payment provider's adapter. */
export const paymentsAdapter: MakePaymentsAdapter = asaasAdapter

/** Returns the customer that a report of the provider is about; null if it names none. */
export const customerOfReport: (report: unknown) => string | null = customerOf
