import type { TicketLog } from '#domain/tickets/logs.ts'
import { switchAllAssistants } from '#features/ledger/server/changes/index.ts'
import { factsOf, findTicketsForUpdate } from '#features/ledger/server/rows/index.ts'
import { insertAllLogs } from '#features/ledger/server/sets/index.ts'
import { announceAll } from '#features/visibility/server/index.ts'
import type { Ctx } from '#server/context.ts'

/** New assistant state of a ticket: on, off, or null for unset; with a log entry. */
export type AssistantSwitch = {
  readonly ticketId: number
  readonly switches: Readonly<Record<string, boolean | null>>
  readonly log?: { readonly type: 'assistantOn' | 'assistantOff' | 'assistantFailed'; readonly reason: string }
}

/** Switches assistants of tickets in batches and publishes the change to everyone who may see them. */
export async function switchAssistants(ctx: Ctx, all: readonly AssistantSwitch[]): Promise<void> {
  if (all.length === 0) return
  const rows = await findTicketsForUpdate(
    ctx.db,
    all.map(({ ticketId }) => ticketId),
  )
  const logs = all.flatMap(({ ticketId, log }): ({ ticketId: number } & TicketLog)[] => {
    const row = rows.find(({ id }) => id === ticketId)
    return log && row
      ? [{ ticketId, type: log.type, userId: null, queueId: row.queue_id, data: { reason: log.reason } }]
      : []
  })
  await switchAllAssistants(ctx.db, all)
  await insertAllLogs(ctx.db, logs, ctx.now)
  await announceAll(
    ctx,
    rows.map((row) => ({ row, facts: factsOf(row) })),
  )
}
