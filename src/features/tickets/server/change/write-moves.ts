import { entriesIn } from '#domain/keys.ts'
import type { TicketChange, TicketState } from '#domain/tickets/transitions.ts'
import { insertAllLogs, type TicketFields, writeTickets } from '#features/ledger/server/sets/index.ts'
import type { Ctx } from '#server/context.ts'
import { followFields } from './snooze.ts'

const COLUMNS = {
  status: 'status',
  userId: 'user_id',
  queueId: 'queue_id',
  chatFlowId: 'chat_flow_id',
  reasonId: 'reason_id',
  startedAttendanceAt: 'started_attendance_at',
  closedAt: 'closed_at',
  chatFlowNode: 'chat_flow_node',
  botRetries: 'bot_retries',
  pausedAt: 'paused_at',
  totalPausedMs: 'total_paused_ms',
  snoozedUntil: 'snoozed_until',
  connectionId: 'connection_id',
  conversationKey: 'conversation_key',
  channel: 'channel',
  assistantsUntilAttended: 'assistants',
} as const satisfies Record<keyof TicketState, keyof TicketFields>
const TIMES: readonly string[] = [
  'startedAttendanceAt',
  'closedAt',
  'pausedAt',
  'snoozedUntil',
] satisfies (keyof TicketState)[]

/** Returns the ticket columns that a move writes. */
export function fieldsOf({ set }: Pick<TicketChange, 'set'>, now: Date): TicketFields {
  const changed = entriesIn(set).map(([key, value]) => [
    COLUMNS[key],
    key === 'assistantsUntilAttended'
      ? '{}'
      : TIMES.includes(key) && typeof value === 'number'
        ? new Date(value).toISOString()
        : value,
  ])
  return {
    ...Object.fromEntries(changed),
    // Decision B4: the list's order follows status, owner, queue and messages only.
    ...('status' in set || 'userId' in set || 'queueId' in set ? { updated_at: now.toISOString() } : {}),
    ...(set.status === 'closed' ? { waiting_since: null } : {}),
    ...(set.closedAt === null ? { is_farewell_message: false } : {}),
  }
}

/**
 * Writes moves of tickets in batches, skipping those without change. The caller has locked the tickets. Queries of `behind`
 * run after the ticket writes, while the log is written.
 */
export async function writeMoves(
  ctx: Pick<Ctx, 'db' | 'tenantId' | 'user' | 'now' | 'enqueue'>,
  moves: readonly (TicketChange & { readonly id: number })[],
  behind: () => Promise<void> = async () => {},
): Promise<void> {
  const changed = moves.filter(({ set }) => Object.keys(set).length > 0)
  const writes = changed.map(({ id, set }) => ({ id, fields: fieldsOf({ set }, ctx.now) }))
  const logs = changed.flatMap(({ id, logs }) => logs.map((log) => ({ ...log, ticketId: id })))
  // Pipelined, and executed in this order.
  await Promise.all([
    writeTickets(ctx.db, writes, { by: ctx.user?.id ?? null, now: ctx.now }),
    behind(),
    insertAllLogs(ctx.db, logs, ctx.now),
  ])
  await followFields(ctx, writes)
}
