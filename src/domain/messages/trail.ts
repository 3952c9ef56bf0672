import type { MessageStatus } from './status.ts'

/** The steps of a message that are shown first. */
const MILESTONES = ['sent', 'delivered', 'read', 'played'] as const

/** When a message reached each milestone for the first time, in order; those that it has not reached are left out. */
export const milestonesOf = <Step extends { readonly step: string }>(
  steps: readonly Step[],
): { milestone: (typeof MILESTONES)[number]; step: Step }[] =>
  MILESTONES.flatMap((milestone) => {
    const step = steps.find((one) => one.step === milestone)
    return step ? [{ milestone, step }] : []
  })

/** Remedies for an outgoing message: send it again, assume that it was sent, cancel it, use another connection. */
export type Remedy = 'resend' | 'leave' | 'cancel' | 'channel'

/** State of an outgoing message that may need a decision: `repeating` is retried automatically. */
export type Standstill = 'queued' | 'repeating' | 'failed' | 'uncertain' | 'canceled' | 'sent'

/** Returns why an outgoing message has not arrived, and the remedies; null if it arrived, or is not outgoing. */
export function standstillOf(
  status: MessageStatus,
  steps: readonly { readonly step: string }[],
): { why: Standstill; remedies: readonly Remedy[] } | null {
  switch (status) {
    case 'failed':
      return { why: 'failed', remedies: ['resend', 'channel'] }
    case 'uncertain':
      return { why: 'uncertain', remedies: ['resend', 'leave'] }
    case 'canceled':
      return { why: 'canceled', remedies: ['resend'] }
    case 'pending':
    case 'queued': {
      const last = steps.findLast(({ step }) => step === 'attempt' || step === 'waiting')
      return last?.step === 'waiting'
        ? { why: 'repeating', remedies: ['cancel', 'channel'] }
        : { why: 'queued', remedies: status === 'pending' ? ['cancel'] : [] }
    }
    case 'sent':
      return { why: 'sent', remedies: [] }
    default:
      return null
  }
}
