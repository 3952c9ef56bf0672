import { phrasesIn } from '#domain/rules/judge.ts'
import type { Condition, RuleFacts } from '#domain/rules/rules.ts'
import { openAt } from '#features/hours/server/index.ts'
import type { KnownTicket } from '#features/visibility/server/index.ts'
import type { TenantSettings } from '#kit/settings.ts'

/** Returns the facts of a rule: the ticket, the message, and the business hours at that time. */
export const ruleFacts = (
  { row }: Pick<KnownTicket, 'row'>,
  {
    text,
    at,
    settings,
    conditions,
  }: { text: string; at: Date; settings: TenantSettings; conditions: readonly Condition[] },
): RuleFacts => ({
  status: row.status,
  queueId: row.queue_id,
  userId: row.user_id,
  stageId: row.kanban,
  connectionId: row.connection_id,
  tagIds: row.tag_ids,
  walletIds: row.wallet_ids,
  isOpen: openAt(settings, at)(row.connection_id),
  phrases: phrasesIn(text, conditions),
})
