import { seesWide } from '#domain/access/profiles.ts'
import { evaluate } from '#domain/criteria.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { waitedSince } from '#domain/tickets/filter.ts'
import { type Viewer, type VisibilitySettings, visibleTo } from '#domain/tickets/visibility.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { formatDate, isToday } from '#web/format.ts'
import { criteriaOf, type ListFilter } from './list-filter.ts'

/** Viewer of the list, with the company's visibility settings as the browser knows them. */
export type Onlooker = { viewer: Viewer; settings: VisibilitySettings }

/** Returns the facts for visibility rules of a row that the server has sent to this person. */
function factsOf(row: TicketRow, { viewer, settings }: Onlooker): TicketFacts {
  const isWide = seesWide(viewer, settings.supervisorsLimited)
  return {
    status: row.status,
    isGroup: row.isGroup,
    userId: row.userId,
    queueId: row.queueId,
    whatsappId: row.whatsappId,
    chatFlowId: row.chatFlowId,
    isAssisted: row.isAssisted,
    kanban: row.kanban,
    unread: row.unreadMessages > 0,
    tagIds: row.tags.map(({ id }) => id),
    wallets: row.contact.wallets.map(({ id }) => id),
    // Rows do not name a group's users; a row that reaches a user without wide visibility implies they are one.
    groupUserIds: isWide ? [] : [viewer.id],
    snoozed: row.snoozedUntil !== null,
  }
}

/**
 * Checks whether a visible row belongs in the list of this filter. `focusedId` is the ticket being read: while pending it
 * also shows among the open ones (specification §4).
 */
export function belongs(row: TicketRow, filter: ListFilter, onlooker: Onlooker, focusedId: number | null): boolean {
  const { viewer, settings } = onlooker
  if (filter.scope === 'mine' && row.userId !== viewer.id) return false
  if (filter.scope === 'waiting' && row.waitingSince === null) return false
  if (filter.sla && row.sla?.state !== filter.sla) return false
  const { waitingMinutes } = filter
  if (waitingMinutes && !(row.waitingSince && row.waitingSince <= waitedSince(waitingMinutes, Date.now()))) return false
  const { from, to } = filter
  if (from || to) {
    const day = formatDate(row.lastMessageAt).split('/').reverse().join('-')
    if (day < (from ?? '') || day > (to ?? '9')) return false
  }
  if (filter.closedToday && !isToday(row.closedAt ?? 0)) return false
  const facts = factsOf(row, onlooker)
  const shown = row.id === focusedId && row.status === 'pending' ? { ...facts, status: 'open' as const } : facts
  const criteria = visibleTo(viewer, settings, criteriaOf(filter))
  return evaluate(criteria, facts) || (shown !== facts && evaluate(criteria, shown))
}
