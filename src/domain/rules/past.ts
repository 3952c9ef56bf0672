import type { TicketStatus } from '../tickets/facts.ts'
import type { TicketLogType } from '../tickets/logs.ts'

/** Where a ticket stands. */
export type PastState = {
  readonly status: TicketStatus
  readonly userId: number | null
  readonly queueId: number | null
}

/** A line of a ticket's log, with its time in epoch ms. */
export type PastLog = {
  readonly type: TicketLogType
  readonly userId: number | null
  readonly queueId: number | null
  readonly at: number
  /** Where the ticket stands behind it, where its kind does not say it; of old lines it is not known. */
  readonly to?: Pick<PastState, 'status' | 'userId'> | null
}

const WAITING: readonly TicketLogType[] = [
  ...(['create', 'pending', 'transfered', 'chatBot', 'queue', 'userDefine', 'retriesLimitQueue'] as const),
  ...(['retriesLimitUserDefine', 'ownerAway'] as const),
]
const ENDED: readonly TicketLogType[] = ['closed', 'autoClose', 'connectionRemoved', 'merged']

/** How a ticket stood behind the first `count` lines of its log; without any line ever as it stands now. */
export function pastStateAfter(logs: readonly PastLog[], count: number, now: PastState): PastState {
  const [first] = logs
  if (!first) return now
  // Before its first line nobody had it; its queue only a later move can have changed.
  const begun: PastState = { status: 'pending', userId: null, queueId: first.queueId }
  return logs.slice(0, count).reduce((before, log) => after(before, log), begun)
}

function after({ status, userId }: PastState, { type, userId: named, queueId, to }: PastLog): PastState {
  if (to) return { ...to, queueId }
  if (type === 'open' || type === 'receivedTransfer' || type === 'distributed')
    return { status: 'open', userId: named, queueId }
  if (WAITING.includes(type)) return { status: 'pending', userId: null, queueId }
  return { status: ENDED.includes(type) ? 'closed' : status, userId, queueId }
}
