import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seesWide } from '#domain/access/profiles.ts'
import { evaluate } from '#domain/criteria.ts'
import { LIST_TABS } from '#domain/tickets/filter.ts'
import { accessTo, visibleTo } from '#domain/tickets/visibility.ts'
import { visibilityCases } from '#test/arbitraries.ts'
import { breadth } from '#test/setup/breadth.ts'
import { belongs } from './belongs.ts'
import { following } from './following.ts'
import { criteriaOf, type ListFilter, plainFilter, readFilter, writeFilter } from './list-filter.ts'
import { ticketRow } from './sample-ticket.ts'

const noSettings = {
  showGroupsForAll: false,
  showClosedForAll: false,
  supervisorsLimited: false,
  nullTickets: false,
  notViewTicketsChatBot: false,
  directTicketsToWallets: false,
  notViewAssignedTickets: false,
  tenantHasQueues: false,
  showChatBot: false,
}
const ids = { users: [1, 2], queues: [1, 2], connections: [1, 2], tags: [1, 2], others: [1] }
const cases = visibilityCases(ids)
const some = (list: readonly number[]) => fc.subarray([...list])
const filters: fc.Arbitrary<ListFilter> = fc.record({
  tab: fc.constantFrom(...LIST_TABS),
  isGroup: fc.constantFrom(false, true, null),
  scope: fc.constantFrom(null, 'unassigned' as const),
  search: fc.constant(''),
  mentions: fc.constant(false),
  showAll: fc.boolean(),
  queuesIds: some(ids.queues),
  whatsappIds: some(ids.connections),
  tags: some(ids.tags),
  kanban: some(ids.others),
  selectedUser: fc.option(fc.constantFrom(...ids.users), { nil: null }),
  withUnreadMessages: fc.boolean(),
  onlyQueue: fc.constantFrom(null, 'none' as const, ...ids.queues),
  onlyUser: fc.constantFrom(null, 'none' as const, ...ids.users),
  closedToday: fc.boolean(),
  oldestFirst: fc.boolean(),
  unansweredFirst: fc.boolean(),
  dueFirst: fc.boolean(),
  sla: fc.constant(null),
  waitingMinutes: fc.constant(null),
  from: fc.constant(null),
  to: fc.constant(null),
})

test('a row that the server lets somebody see is listed in the browser as the server lists it', () => {
  fc.assert(
    fc.property(cases.ticket, cases.viewer, cases.settings, filters, (facts, viewer, settings, filter) => {
      if (!evaluate(accessTo(viewer, settings), facts)) return
      // Rows do not name a group's users; users with wide visibility read such lists from the server.
      if (facts.isGroup && seesWide(viewer, settings.supervisorsLimited) && facts.groupUserIds.includes(viewer.id))
        return
      const row = ticketRow({
        ...facts,
        closedAt: Date.now(),
        snoozedUntil: facts.snoozed ? 1 : null,
        unreadMessages: facts.unread ? 1 : 0,
        tags: facts.tagIds.map((id) => ({ id, tag: '', color: '' })),
        contact: { ...ticketRow().contact, wallets: facts.wallets.map((id) => ({ id, name: '' })) },
      })
      const onlooker = { viewer, settings: { ...settings, tenantHasQueues: false } }
      expect(belongs(row, filter, onlooker, null)).toBe(
        evaluate(visibleTo(viewer, settings, criteriaOf(filter)), facts),
      )
    }),
    { numRuns: breadth(500, 2000) },
  )
})

test('a row stands in the days of its last message, both included, as the company counts them', () => {
  const row = ticketRow({ status: 'open', lastMessageAt: Date.parse('2026-03-05T01:30:00Z') })
  const onlooker = { viewer: { id: 1, profile: 'admin' as const, queueIds: [] }, settings: noSettings }
  const at = (from: string | null, to: string | null) => belongs(row, { ...plainFilter, from, to }, onlooker, null)
  expect([at('2026-03-04', null), at(null, '2026-03-04'), at('2026-03-04', '2026-03-04')]).toEqual([true, true, true])
  expect([at('2026-03-05', null), at(null, '2026-03-03')]).toEqual([false, false])
})

test('the pending ticket that is being read shows among the open ones as well', () => {
  const row = ticketRow({ id: 7, status: 'pending' })
  const onlooker = {
    viewer: { id: 1, profile: 'admin' as const, queueIds: [] },
    settings: noSettings,
  }
  expect(belongs(row, plainFilter, onlooker, null)).toBe(false)
  expect(belongs(row, plainFilter, onlooker, 7)).toBe(true)
  expect(belongs(row, { ...plainFilter, tab: 'pending' }, onlooker, 7)).toBe(true)
  expect(belongs(row, { ...plainFilter, tab: 'closed' }, onlooker, 7)).toBe(false)
})

test('a filter survives the address and being saved', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(readFilter(writeFilter(filter))).toEqual(filter)
    }),
  )
  expect(writeFilter(plainFilter)).toEqual({})
})

test('the list follows a ticket that was just taken, with as much of its filter as lets it through', () => {
  const viewer = { id: 1, profile: 'user' as const, queueIds: [1], isSupport: false }
  const taken = ticketRow({ status: 'open', userId: 1, queueId: 1 })
  const follow = (filter: Partial<ListFilter>) =>
    following(taken, { ...plainFilter, ...filter }, { viewer, settings: noSettings })
  expect(follow({ tab: 'pending' })).toEqual(plainFilter)
  expect(follow({ tab: 'pending', scope: 'mine', queuesIds: [1] })).toEqual({
    ...plainFilter,
    scope: 'mine',
    queuesIds: [1],
  })
  expect(follow({ tab: 'pending', scope: 'unassigned', queuesIds: [1] })).toEqual({ ...plainFilter, queuesIds: [1] })
  expect(follow({ tab: 'pending', queuesIds: [2], selectedUser: 2 })).toEqual(plainFilter)
  expect(follow({ tab: 'pending', isGroup: true })).toEqual(plainFilter)
  expect(follow({ tab: 'pending', search: 'Ana' })).toMatchObject({ tab: 'pending', search: 'Ana' })
})
