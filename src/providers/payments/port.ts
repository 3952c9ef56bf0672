import type { ProviderConfig, ProviderValues } from '#kit/provider.ts'

/** Config of a payment provider, as data that the browser may read. */
export type PaymentsConfig = ProviderConfig & {
  /** Environment variables that its adapter reads. */
  readonly environment: readonly string[]
}

/** Customer of the account: a company that is billed. */
export type Customer = { readonly name: string; readonly document: string; readonly email: string | null }

/** Monthly subscription; `value` in reais as decimal text, `dueDate` (AAAA-MM-DD) of its first payment. */
export type Subscription = {
  readonly customerId: string
  readonly reference: string
  readonly value: string
  readonly dueDate: string
  readonly description: string
}

/** Payment; `status` as the provider names it, days as AAAA-MM-DD, `value` in reais; addresses are https only. */
export type Payment = {
  readonly id: string
  readonly status: string
  readonly dueDate: string
  readonly value: number
  readonly paidAt: string | null
  readonly bankSlipUrl: string | null
  readonly invoiceUrl: string | null
}

/** Reason of a failed call: key refused (`setup`), data refused (`refused`), rate limit or no response (`later`). */
export type PaymentsProblem = 'setup' | 'refused' | 'later'

/** Failed call; `message` is for people. */
export class PaymentsFailure extends Error {
  readonly problem: PaymentsProblem
  constructor(problem: PaymentsProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** Tools of an adapter; `environment` has the variables that the config names. */
export type PaymentsTools = {
  readonly fetch: typeof fetch
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Port to one account at a payment provider; every call fails with a `PaymentsFailure`. */
export type PaymentsAdapter = {
  /** Checks that the key is accepted. */
  check(): Promise<void>
  /** Has the provider report changes of payments to `url` with `token` in a header; repeated calls change the same one. */
  saveWebhook(of: { readonly url: string; readonly token: string; readonly email: string }): Promise<void>
  /** Returns the ids of the customers with a CPF or CNPJ. */
  findCustomers(document: string): Promise<readonly string[]>
  createCustomer(customer: Customer): Promise<string>
  /** Returns the customer's active subscription with our reference; null without one. */
  findSubscription(of: Pick<Subscription, 'customerId' | 'reference'>): Promise<string | null>
  /** Whether the account has this subscription, ended or not. */
  hasSubscription(id: string): Promise<boolean>
  subscribe(subscription: Subscription): Promise<string>
  /** Ends a subscription and its open payments; no error if it is gone. */
  cancel(subscriptionId: string): Promise<void>
  /** Returns every payment of a customer that has not been deleted. */
  payments(customerId: string): Promise<readonly Payment[]>
}

/** Creates the adapter of an account from its settings, with secrets in the clear. */
export type MakePaymentsAdapter = (values: ProviderValues, tools: PaymentsTools) => PaymentsAdapter
