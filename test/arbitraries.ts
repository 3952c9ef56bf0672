import fc from 'fast-check'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { type AttendanceFilter, LIST_TABS } from '#domain/tickets/filter.ts'
import type { Viewer, VisibilitySettings } from '#domain/tickets/visibility.ts'

/** The ids that random tickets, viewers and filters may name. */
export type Ids = Readonly<Record<'users' | 'queues' | 'connections' | 'tags' | 'others', readonly number[]>>

/** Random tickets, viewers, settings and filters over a handful of ids, so that they often meet. */
export function visibilityCases(ids: Ids) {
  const oneOf = (list: readonly number[]) => fc.constantFrom(...list)
  const maybe = (list: readonly number[]) => fc.option(oneOf(list), { nil: null })
  const some = (list: readonly number[]) => fc.subarray([...list])
  const few = (list: readonly number[]) => fc.oneof(fc.constant<number[]>([]), some(list))
  const status = fc.constantFrom('open' as const, 'pending' as const, 'closed' as const)

  const ticket: fc.Arbitrary<TicketFacts> = fc.record({
    status,
    isGroup: fc.boolean(),
    userId: maybe(ids.users),
    queueId: maybe(ids.queues),
    whatsappId: oneOf(ids.connections),
    chatFlowId: maybe(ids.others),
    isAssisted: fc.boolean(),
    kanban: maybe(ids.others),
    unread: fc.boolean(),
    tagIds: some(ids.tags),
    wallets: some(ids.users),
    groupUserIds: some(ids.users),
    snoozed: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  })
  const viewer: fc.Arbitrary<Viewer> = fc.record({
    id: oneOf(ids.users),
    profile: fc.constantFrom<Viewer['profile'][]>('user', 'user', 'super', 'admin', 'superadmin'),
    queueIds: some(ids.queues),
    // Rarely: support sees as an admin does.
    isSupport: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  const settings: fc.Arbitrary<VisibilitySettings> = fc.record({
    showGroupsForAll: fc.boolean(),
    showClosedForAll: fc.boolean(),
    supervisorsLimited: fc.boolean(),
    nullTickets: fc.boolean(),
    notViewTicketsChatBot: fc.boolean(),
    directTicketsToWallets: fc.boolean(),
    notViewAssignedTickets: fc.boolean(),
    tenantHasQueues: fc.boolean(),
    showChatBot: fc.boolean(),
  })
  const filter: fc.Arbitrary<AttendanceFilter> = fc.record({
    tab: fc.option(fc.constantFrom(...LIST_TABS), { nil: null, freq: 2 }),
    isGroup: fc.option(fc.boolean(), { nil: null, freq: 2 }),
    onlyQueue: fc.option(fc.oneof(oneOf(ids.queues), fc.constant('none' as const)), { nil: null, freq: 2 }),
    onlyUser: fc.option(fc.oneof(oneOf(ids.users), fc.constant('none' as const)), { nil: null, freq: 2 }),
    status: fc.subarray(['open', 'pending', 'closed'] as const),
    showAll: fc.boolean(),
    queuesIds: few(ids.queues),
    whatsappIds: few(ids.connections),
    selectedUser: fc.option(oneOf(ids.users), { nil: null, freq: 2 }),
    tags: few(ids.tags),
    kanban: few(ids.others),
    withUnreadMessages: fc.boolean(),
    isNotAssignedUser: fc.boolean(),
    includeNotQueueDefined: fc.boolean(),
  })
  return { ticket, viewer, settings, filter }
}
