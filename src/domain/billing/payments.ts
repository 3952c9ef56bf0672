/** Statuses of payments that were paid. */
const PAID = ['RECEIVED', 'CONFIRMED', 'RECEIVED_IN_CASH', 'DUNNING_RECEIVED']
/** Statuses of payments that are due and unpaid: any one locks the company (product facts 2.7). */
export const OVERDUE = ['OVERDUE', 'DUNNING_REQUESTED'] as const
/** Status of a payment that is open and not due yet. */
export const PENDING = 'PENDING'

/** State of a payment for people; `other`: refunded, disputed, under analysis, or unknown to us. */
export type PaymentState = 'paid' | 'overdue' | 'pending' | 'other'

/** Maps Asaas' status to a state. */
export function paymentState(status: string): PaymentState {
  if (PAID.includes(status)) return 'paid'
  if (OVERDUE.some((one) => one === status)) return 'overdue'
  return status === PENDING ? 'pending' : 'other'
}
