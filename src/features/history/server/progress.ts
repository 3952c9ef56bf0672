import type { StoredImport } from '#features/ledger/server/history/index.ts'
import type { Ctx } from '#server/context.ts'
import { historyEvents } from '../contract.ts'

/** Serializes an import. */
export const serializeImport = (row: StoredImport) => ({
  id: row.id,
  whatsappId: row.connection_id,
  conversation: row.conversation_key,
  limit: row.per_chat,
  since: row.since,
  until: row.until,
  groups: row.has_groups,
  status: row.status,
  errorCode: row.error_code,
  chats: row.chats_total,
  chatsDone: row.chats_done,
  messagesRead: row.messages_read,
  messagesNew: row.messages_new,
  reachedAt: row.reached_at,
  userName: row.user_name,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** Publishes an import's progress; after its end also that conversations must be reloaded. */
export function publishImport(ctx: Ctx, row: StoredImport): void {
  const { chats_total: all, chats_done: done, reached_at: date } = row
  const status = all === null ? { all: -1, this: -1, date: null } : { all, this: done, date }
  ctx.emit(
    historyEvents.progress,
    { action: 'update', status, import: serializeImport(row) },
    { kind: 'permission', permission: 'messages:import' },
  )
  if (row.status !== 'running') publishRefresh(ctx)
}

/** Publishes that all screens must reload conversations. */
export const publishRefresh = (ctx: Ctx): void =>
  ctx.emit(historyEvents.refresh, { action: 'refresh' }, { kind: 'tenant' })
