import type { TicketStatus } from '../tickets/facts.ts'
import type { TicketLogType } from '../tickets/logs.ts'

/** State of a ticket. */
export type PastState = {
  readonly status: TicketStatus
  readonly userId: number | null
  readonly queueId: number | null
}

/** Line of a ticket's log, with its time in epoch ms. */
export type PastLog = {
  readonly type: TicketLogType
  readonly userId: number | null
  readonly queueId: number | null
  readonly at: number
  /** State after this line, if its type does not imply it; unknown for old lines. */
  readonly to?: Pick<PastState, 'status' | 'userId'> | null
}

const WAITING: readonly TicketLogType[] = [
  ...(['create', 'pending', 'transfered', 'chatBot', 'queue', 'userDefine', 'retriesLimitQueue'] as const),
  ...(['retriesLimitUserDefine', 'ownerAway'] as const),
]
const ENDED: readonly TicketLogType[] = ['closed', 'autoClose', 'connectionRemoved', 'merged']

/** Returns the state of a ticket after the first `count` lines of its log; without lines, the current state. */
export function pastStateAfter(logs: readonly PastLog[], count: number, now: PastState): PastState {
  const [first] = logs
  if (!first) return now
  // Before its first log line it had no agent; its queue can only have been changed by a later move.
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
