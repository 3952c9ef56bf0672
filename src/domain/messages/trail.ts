import type { MessageStatus } from './status.ts'

/** Delivery steps that are shown first. */
const MILESTONES = ['sent', 'delivered', 'read', 'played'] as const

/** Returns the first time of each milestone that a message reached, in order. */
export const milestonesOf = <Step extends { readonly step: string }>(
  steps: readonly Step[],
): { milestone: (typeof MILESTONES)[number]; step: Step }[] =>
  MILESTONES.flatMap((milestone) => {
    const step = steps.find((one) => one.step === milestone)
    return step ? [{ milestone, step }] : []
  })

/** Remedy for an outgoing message: send again, assume it was sent, cancel, or continue over another connection. */
export type Remedy = 'resend' | 'leave' | 'cancel' | 'channel'

/** State of an outgoing message that may need a decision: `repeating` is retried automatically. */
export type Standstill = 'queued' | 'repeating' | 'failed' | 'uncertain' | 'canceled' | 'sent'

/** Returns what keeps an outgoing message from its contact, with the remedies; null if delivered, or not outgoing. */
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
