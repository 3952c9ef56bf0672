import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibilityCases } from '#test/arbitraries.ts'
import { breadth } from '#test/setup/breadth.ts'
import { evaluate } from '../criteria.ts'
import type { TicketFacts } from './facts.ts'
import { type AttendanceFilter, attendanceFilter } from './filter.ts'
import {
  accessTo,
  explain,
  type Viewer,
  type VisibilityRule,
  type VisibilitySettings,
  visibleTo,
} from './visibility.ts'

const ANA: Viewer = { id: 1, profile: 'user', queueIds: [10] }
const NO_QUEUES: Viewer = { ...ANA, queueIds: [] }
const SUPER: Viewer = { id: 2, profile: 'super', queueIds: [10] }
const ADMIN: Viewer = { id: 3, profile: 'admin', queueIds: [] }
const OWNER: Viewer = { id: 4, profile: 'superadmin', queueIds: [] }

const SETTINGS: VisibilitySettings = {
  showGroupsForAll: false,
  showClosedForAll: false,
  supervisorsLimited: false,
  nullTickets: false,
  notViewTicketsChatBot: false,
  directTicketsToWallets: false,
  notViewAssignedTickets: false,
  tenantHasQueues: true,
  showChatBot: false,
}

const TICKET: TicketFacts = {
  status: 'open',
  isGroup: false,
  userId: 9,
  queueId: 10,
  whatsappId: 20,
  chatFlowId: null,
  isAssisted: false,
  kanban: null,
  unread: false,
  tagIds: [],
  wallets: [],
  groupUserIds: [],
  snoozed: false,
}

type Case = [
  name: string,
  viewer: Viewer,
  settings: Partial<VisibilitySettings>,
  filter: Partial<AttendanceFilter>,
  ticket: Partial<TicketFacts>,
  visible: boolean,
  rule: VisibilityRule,
]

const CLOSED = { showClosedForAll: true }
const GROUP = { isGroup: true, userId: null }

describe('the rule that decides a list', () => {
  test.each<Case>([
    ['1: superadmin in the own tenant', OWNER, {}, { showAll: true }, { queueId: 99 }, true, 'showAll'],
    ['tab is strict under show-all', ADMIN, {}, { showAll: true, tab: 'pending' }, {}, false, 'tab'],
    ['tab is strict under closed-for-all', ANA, CLOSED, { tab: 'open' }, { status: 'closed' }, false, 'tab'],
    [
      'what a figure is narrowed to is strict under show-all',
      ADMIN,
      {},
      { showAll: true, onlyQueue: 'none' },
      {},
      false,
      'tab',
    ],
    ['tab of groups hides a private one', ADMIN, {}, { showAll: true, isGroup: true }, {}, false, 'tab'],
    ['tab of private ones hides a group', ADMIN, {}, { showAll: true, isGroup: false }, GROUP, false, 'tab'],
    ['1: admin with show-all, filters ignored', ADMIN, {}, { showAll: true, tags: [5] }, {}, true, 'showAll'],
    ['1: admin with show-all sees closed', ADMIN, {}, { showAll: true }, { status: 'closed' }, true, 'showAll'],
    ['1: supervisor with show-all', SUPER, {}, { showAll: true }, { queueId: 99 }, true, 'showAll'],
    ['1: limited supervisor', SUPER, { supervisorsLimited: true }, { showAll: true }, { queueId: 99 }, false, 'queues'],
    ['1: not for a user', ANA, {}, { showAll: true }, { queueId: 99 }, false, 'queues'],
    ['2: closed of own queue', ANA, CLOSED, {}, { status: 'closed' }, true, 'closedForAll'],
    ['2: closed of another queue', ANA, CLOSED, {}, { status: 'closed', queueId: 99 }, false, 'status'],
    [
      '2: … even when asked for',
      ANA,
      CLOSED,
      { status: ['closed'] },
      { status: 'closed', queueId: 99 },
      false,
      'queues',
    ],
    [
      '2: … but one’s own',
      ANA,
      CLOSED,
      { status: ['closed'] },
      { status: 'closed', queueId: 99, userId: 1 },
      true,
      'own',
    ],
    ['2: user without queues', NO_QUEUES, CLOSED, {}, { status: 'closed', queueId: 99 }, true, 'closedForAll'],
    ['2: without queue', ANA, CLOSED, {}, { status: 'closed', queueId: null }, false, 'status'],
    [
      '2: without queue, null tickets on',
      ANA,
      { ...CLOSED, nullTickets: true },
      {},
      { status: 'closed', queueId: null },
      true,
      'closedForAll',
    ],
    [
      '2: limited supervisor by queue',
      SUPER,
      { ...CLOSED, supervisorsLimited: true },
      {},
      { status: 'closed', queueId: 99 },
      false,
      'status',
    ],
    ['2: supervisor any queue', SUPER, CLOSED, {}, { status: 'closed', queueId: 99 }, true, 'closedForAll'],
    [
      '2: hide-assigned does not matter',
      ANA,
      { ...CLOSED, notViewAssignedTickets: true },
      {},
      { status: 'closed' },
      true,
      'closedForAll',
    ],
    ['2: but the viewer’s choice narrows', ANA, CLOSED, { tags: [5] }, { status: 'closed' }, false, 'narrowing'],
    ['3: status not asked for', ANA, {}, {}, { status: 'closed' }, false, 'status'],
    ['3: status asked for', ANA, {}, { status: ['closed'] }, { status: 'closed' }, true, 'unrefused'],
    ['3: one’s own too', ANA, {}, { status: ['pending'] }, { userId: 1 }, false, 'status'],
    ['4: group of nobody, user', ANA, {}, {}, GROUP, false, 'groups'],
    ['4: group of nobody, admin', ADMIN, {}, {}, GROUP, true, 'groups'],
    ['4: group of nobody, superadmin', OWNER, {}, {}, GROUP, true, 'groups'],
    ['4: group of nobody, supervisor', SUPER, {}, {}, GROUP, false, 'groups'],
    ['4: group of another, admin', ADMIN, {}, {}, { isGroup: true, userId: 9 }, false, 'groups'],
    ['4: group of one’s own', ANA, {}, {}, { isGroup: true, userId: 1, queueId: 99 }, true, 'groups'],
    ['4: named on the group', ANA, {}, {}, { isGroup: true, userId: 9, groupUserIds: [8, 1] }, true, 'groups'],
    [
      '4: for all',
      ANA,
      { showGroupsForAll: true, notViewAssignedTickets: true },
      {},
      { isGroup: true, queueId: 99 },
      true,
      'groups',
    ],
    ['4: closed group is no exception', ANA, CLOSED, {}, { ...GROUP, status: 'closed' }, false, 'groups'],
    ['5: connection', ANA, {}, { whatsappIds: [21] }, { userId: 1 }, false, 'narrowing'],
    ['5: chosen connection', ANA, {}, { whatsappIds: [21, 20] }, {}, true, 'unrefused'],
    ['5: user', ADMIN, {}, { selectedUser: 8 }, {}, false, 'narrowing'],
    ['5: chosen user', ADMIN, {}, { selectedUser: 9 }, {}, true, 'unrefused'],
    ['5: kanban', ANA, {}, { kanban: [7] }, {}, false, 'narrowing'],
    ['5: chosen kanban', ANA, {}, { kanban: [7] }, { kanban: 7 }, true, 'unrefused'],
    ['5: tag', ANA, {}, { tags: [5] }, { tagIds: [6] }, false, 'narrowing'],
    ['5: chosen tag', ANA, {}, { tags: [5] }, { tagIds: [4, 5] }, true, 'unrefused'],
    ['5: unread only', ANA, {}, { withUnreadMessages: true }, {}, false, 'narrowing'],
    ['5: unread', ANA, {}, { withUnreadMessages: true }, { unread: true }, true, 'unrefused'],
    ['5: groups too', ADMIN, {}, { tags: [5] }, GROUP, false, 'narrowing'],
    ['6: own, in a queue that is not', ANA, {}, {}, { userId: 1, queueId: 99 }, true, 'own'],
    ['6: own, limited to chosen queues', ANA, {}, { queuesIds: [10] }, { userId: 1, queueId: 99 }, false, 'narrowing'],
    [
      '6: own, whoever has the wallet',
      ANA,
      { directTicketsToWallets: true },
      {},
      { userId: 1, wallets: [9] },
      true,
      'own',
    ],
    [
      '7: in the chatbot',
      ANA,
      { notViewTicketsChatBot: true },
      {},
      { userId: null, queueId: null, chatFlowId: 3 },
      false,
      'chatbot',
    ],
    [
      '7: for the admin too',
      ADMIN,
      { notViewTicketsChatBot: true },
      {},
      { userId: null, queueId: null, chatFlowId: 3 },
      false,
      'chatbot',
    ],
    ['7: with a queue', ANA, { notViewTicketsChatBot: true }, {}, { userId: null, chatFlowId: 3 }, true, 'unrefused'],
    ['7: no flow', ADMIN, { notViewTicketsChatBot: true }, {}, { userId: null, queueId: null }, true, 'unrefused'],
    ['7: setting off', ADMIN, {}, {}, { userId: null, queueId: null, chatFlowId: 3 }, true, 'unrefused'],
    ['8: own queue', ANA, {}, {}, {}, true, 'unrefused'],
    ['8: another queue', ANA, {}, {}, { queueId: 99 }, false, 'queues'],
    ['8: another queue, admin', ADMIN, {}, {}, { queueId: 99 }, true, 'unrefused'],
    ['8: another queue, supervisor', SUPER, {}, {}, { queueId: 99 }, true, 'unrefused'],
    ['8: tenant without queues', NO_QUEUES, { tenantHasQueues: false }, {}, { queueId: null }, true, 'unrefused'],
    ['8: user without queues', NO_QUEUES, {}, {}, { userId: null }, false, 'queues'],
    ['8: no queue', ANA, {}, {}, { queueId: null, userId: null }, false, 'queues'],
    [
      '8: no queue, null tickets on',
      ANA,
      { nullTickets: true },
      {},
      { queueId: null, userId: null },
      true,
      'unrefused',
    ],
    [
      '8: no queue, null tickets on, no queues',
      NO_QUEUES,
      { nullTickets: true },
      {},
      { queueId: null, userId: null },
      true,
      'unrefused',
    ],
    ['8: no queue but somebody’s', ANA, { nullTickets: true }, {}, { queueId: null }, false, 'queues'],
    ['8: null tickets do not open other queues', ANA, { nullTickets: true }, {}, { queueId: 99 }, false, 'queues'],
    ['8: chosen queue', ADMIN, {}, { queuesIds: [11] }, {}, false, 'narrowing'],
    ['8: without queue excluded', ADMIN, {}, { includeNotQueueDefined: false }, { queueId: null }, false, 'narrowing'],
    ['9: another’s wallet', ANA, { directTicketsToWallets: true }, {}, { wallets: [9] }, false, 'wallets'],
    ['9: own wallet', ANA, { directTicketsToWallets: true }, {}, { wallets: [9, 1] }, true, 'unrefused'],
    ['9: no wallets', ANA, { directTicketsToWallets: true }, {}, {}, true, 'unrefused'],
    ['9: setting off', ANA, {}, {}, { wallets: [9] }, true, 'unrefused'],
    ['10: another’s', ANA, { notViewAssignedTickets: true }, {}, {}, false, 'assigned'],
    ['10: nobody’s', ANA, { notViewAssignedTickets: true }, {}, { userId: null }, true, 'unrefused'],
    ['10: own', ANA, { notViewAssignedTickets: true }, {}, { userId: 1 }, true, 'own'],
    ['10: admin without show-all', ADMIN, { notViewAssignedTickets: true }, {}, {}, false, 'assigned'],
    ['10: admin with show-all', ADMIN, { notViewAssignedTickets: true }, { showAll: true }, {}, true, 'showAll'],
    ['10: unassigned only', ADMIN, {}, { isNotAssignedUser: true }, {}, false, 'narrowing'],
  ])('%s', (_name, viewer, settings, filter, ticket, visible, rule) => {
    const question = [viewer, { ...SETTINGS, ...settings }, attendanceFilter(filter)] as const
    expect(explain({ ...TICKET, ...ticket }, ...question)).toEqual({ visible, rule })
    expect(evaluate(visibleTo(...question), { ...TICKET, ...ticket })).toBe(visible)
  })
})

describe('the right to see at all', () => {
  test.each<[string, Viewer, Partial<VisibilitySettings>, Partial<TicketFacts>, boolean, VisibilityRule]>([
    [
      'admin sees everything',
      ADMIN,
      { notViewAssignedTickets: true },
      { status: 'closed', queueId: 99 },
      true,
      'showAll',
    ],
    ['supervisor sees everything', SUPER, {}, { isGroup: true }, true, 'showAll'],
    ['limited supervisor is bound by queues', SUPER, { supervisorsLimited: true }, { queueId: 99 }, false, 'queues'],
    ['superadmin sees everything', OWNER, {}, { isGroup: true, queueId: 99 }, true, 'showAll'],
    ['closed of own queue', ANA, {}, { status: 'closed' }, true, 'unrefused'],
    ['closed for all', NO_QUEUES, CLOSED, { status: 'closed' }, true, 'closedForAll'],
    ['another’s under hide-assigned', ANA, { notViewAssignedTickets: true }, {}, false, 'assigned'],
    ['another’s group', ANA, {}, { isGroup: true }, false, 'groups'],
  ])('%s', (_name, viewer, settings, ticket, visible, rule) => {
    const merged = { ...SETTINGS, ...settings }
    expect(explain({ ...TICKET, ...ticket }, viewer, merged, null)).toEqual({ visible, rule })
    expect(evaluate(accessTo(viewer, merged), { ...TICKET, ...ticket })).toBe(visible)
  })

  test('is a constant where nothing depends on the ticket', () => {
    expect(accessTo(ADMIN, SETTINGS)).toBe(true)
    expect(accessTo(OWNER, SETTINGS)).toBe(true)
  })

  test('names only what the settings make relevant', () => {
    expect(visibleTo(ANA, { ...SETTINGS, showGroupsForAll: true, tenantHasQueues: false }, attendanceFilter())).toEqual(
      {
        field: 'status',
        in: ['open', 'pending'],
      },
    )
  })
})

const { ticket, viewer, settings, filter } = visibilityCases({
  users: [1, 2, 3],
  queues: [1, 2, 3],
  connections: [1, 2, 3],
  tags: [1, 2, 3],
  others: [1, 2, 3],
})

/** Oracle of the visibility rules, written by hand from the specification, without criteria. */
function byHand(t: TicketFacts, v: Viewer, s: VisibilitySettings, f: AttendanceFilter): boolean {
  const limited = !v.isSupport && (v.profile === 'user' || (v.profile === 'super' && s.supervisorsLimited))
  const isLive = t.status !== 'closed'
  if (f.tab === 'live' && (!isLive || t.snoozed)) return false
  if (f.tab === 'snoozed' && !(isLive && t.snoozed)) return false
  if (f.tab === 'chatbot' && (t.status !== 'pending' || t.snoozed || (t.chatFlowId === null && !t.isAssisted)))
    return false
  if ((f.tab === 'open' || f.tab === 'pending') && (t.status !== f.tab || t.snoozed)) return false
  if (f.tab === 'pending' && s.showChatBot && (t.chatFlowId !== null || t.isAssisted)) return false
  if (f.tab === 'closed' && isLive) return false
  if (f.onlyQueue && (t.queueId ?? 'none') !== f.onlyQueue) return false
  if (f.onlyUser && (t.userId ?? 'none') !== f.onlyUser) return false
  if (f.isGroup !== null && t.isGroup !== f.isGroup) return false
  if (f.showAll && !limited) return true
  const ofQueue = t.queueId === null ? s.nullTickets : v.queueIds.includes(t.queueId)
  const closedShown = s.showClosedForAll && t.status === 'closed' && (!limited || v.queueIds.length === 0 || ofQueue)
  if (!closedShown && !f.status.includes(t.status)) return false
  if (f.whatsappIds.length && !f.whatsappIds.includes(t.whatsappId)) return false
  if (f.selectedUser !== null && t.userId !== f.selectedUser) return false
  if (f.kanban.length && (t.kanban === null || !f.kanban.includes(t.kanban))) return false
  if (f.tags.length && !t.tagIds.some((tag) => f.tags.includes(tag))) return false
  if (f.queuesIds.length && (t.queueId === null || !f.queuesIds.includes(t.queueId))) return false
  if (!f.includeNotQueueDefined && t.queueId === null) return false
  if (f.withUnreadMessages && !t.unread) return false
  if (f.isNotAssignedUser && t.userId !== null) return false
  if (t.isGroup) {
    if (s.showGroupsForAll || t.userId === v.id || t.groupUserIds.includes(v.id)) return true
    return (v.isSupport || v.profile === 'admin' || v.profile === 'superadmin') && t.userId === null
  }
  if (closedShown || t.userId === v.id) return true
  if (s.notViewTicketsChatBot && t.userId === null && t.queueId === null && t.chatFlowId !== null) return false
  if (s.tenantHasQueues && limited && !(t.queueId === null ? s.nullTickets && t.userId === null : ofQueue)) return false
  if (s.directTicketsToWallets && t.wallets.length > 0 && !t.wallets.includes(v.id)) return false
  return !(s.notViewAssignedTickets && t.userId !== null)
}

describe('for any ticket, viewer, settings and filter', () => {
  test('the criteria, the explanation and the rules written by hand agree', () => {
    fc.assert(
      fc.property(ticket, viewer, settings, filter, (t, v, s, f) => {
        const expected = byHand(t, v, s, f)
        expect(evaluate(visibleTo(v, s, f), t)).toBe(expected)
        expect(explain(t, v, s, f).visible).toBe(expected)
        expect(explain(t, v, s, null).visible).toBe(evaluate(accessTo(v, s), t))
      }),
      { numRuns: breadth(4000, 20_000) },
    )
  })

  test('what is in the list may be opened', () => {
    fc.assert(
      fc.property(ticket, viewer, settings, filter, (t, v, s, f) => {
        fc.pre(evaluate(visibleTo(v, s, f), t))
        expect(evaluate(accessTo(v, s), t)).toBe(true)
      }),
      { numRuns: breadth(1000, 5000) },
    )
  })

  test('what may be opened is in the widest list', () => {
    const widest = attendanceFilter({ status: ['open', 'pending', 'closed'], showAll: true })
    fc.assert(
      fc.property(ticket, viewer, settings, (t, v, s) => {
        expect(evaluate(visibleTo(v, s, widest), t)).toBe(evaluate(accessTo(v, s), t))
      }),
      { numRuns: breadth(1000, 5000) },
    )
  })

  test('narrowing a filter never shows more', () => {
    fc.assert(
      fc.property(ticket, viewer, settings, filter, (t, v, s, f) => {
        const wider = { ...attendanceFilter(), status: f.status, showAll: f.showAll }
        fc.pre(evaluate(visibleTo(v, s, f), t))
        expect(evaluate(visibleTo(v, s, wider), t)).toBe(true)
      }),
      { numRuns: breadth(1000, 5000) },
    )
  })
})
