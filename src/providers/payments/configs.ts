import { asaasConfig, isSandboxKey } from './asaas/config.ts'
import type { PaymentsConfig } from './port.ts'

/** Config of the payment provider. */
export const paymentsConfig = asaasConfig satisfies PaymentsConfig

/** Whether a key belongs to an account for tests, where no money moves. */
export const isTestKey: (key: string) => boolean = isSandboxKey
