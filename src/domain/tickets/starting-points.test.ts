import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visibilityCases } from '#test/arbitraries.ts'
import { breadth } from '#test/setup/breadth.ts'
import { allOf, evaluate } from '../criteria.ts'
import { attendanceFilter } from './filter.ts'
import { possibleStatuses, type StartingPoint, startingPoints } from './starting-points.ts'
import { accessTo, type Viewer, type VisibilitySettings, visibleTo } from './visibility.ts'

const ANA: Viewer = { id: 1, profile: 'user', queueIds: [10, 11] }
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
const named = (points: readonly StartingPoint[] | null) =>
  points?.map(({ field, value }) => `${field} ${value}`).sort() ?? null

test.each<[string, Partial<Viewer>, Partial<VisibilitySettings>, object, string[] | null]>([
  ['an agent of two queues', {}, {}, {}, ['groupUserIds 1', 'queueId 10', 'queueId 11', 'userId 1']],
  ['an agent of no queue', { queueIds: [] }, {}, {}, ['groupUserIds 1', 'userId 1']],
  [
    'and tickets of nobody',
    { queueIds: [] },
    { nullTickets: true },
    {},
    ['groupUserIds 1', 'queueId null', 'userId 1'],
  ],
  ['and groups for all', { queueIds: [] }, { showGroupsForAll: true }, {}, ['isGroup true', 'userId 1']],
  ['one tab of a private kind', { queueIds: [] }, {}, { isGroup: false }, ['userId 1']],
  ['a queue that was chosen', { profile: 'admin' }, {}, { queuesIds: [7] }, ['queueId 7']],
  ['a colleague who was chosen', { profile: 'admin' }, {}, { queuesIds: [7], selectedUser: 3 }, ['userId 3']],
  ['groups', { profile: 'admin' }, { showGroupsForAll: true }, { isGroup: true }, ['isGroup true']],
  ['groups of an agent of two queues', {}, {}, { isGroup: true }, ['groupUserIds 1', 'userId 1']],
  ['an admin', { profile: 'admin' }, {}, {}, null],
  ['a company without queues', {}, { tenantHasQueues: false }, {}, null],
])('a list of %s begins there', (_, viewer, settings, filter, expected) => {
  const criteria = visibleTo({ ...ANA, ...viewer }, { ...SETTINGS, ...settings }, attendanceFilter(filter))
  expect(named(startingPoints(criteria))).toEqual(expected)
  expect(possibleStatuses(criteria)).toEqual(['open', 'pending'])
})

test('property: what is within the criteria is at one of the points, and of one of the statuses', () => {
  const ids = { users: [1, 2, 3], queues: [10, 11], connections: [20], tags: [30, 31], others: [40] }
  const { ticket, viewer, settings, filter } = visibilityCases(ids)
  const scope = fc.option(fc.constantFrom(...ids.users), { nil: null })
  const numRuns = breadth(4000, 20_000)
  let narrow = 0
  fc.assert(
    fc.property(ticket, viewer, settings, fc.option(filter, { nil: null }), scope, (t, v, s, f, user) => {
      const seen = f ? visibleTo(v, s, f) : accessTo(v, s)
      const criteria = allOf(seen, user === null || { field: 'userId', in: [user] })
      if (!evaluate(criteria, t)) return
      expect(possibleStatuses(criteria)).toContain(t.status)
      const points = startingPoints(criteria)
      if (points) narrow++
      const isAt = ({ field, value }: StartingPoint) =>
        field === 'groupUserIds' ? t.isGroup && t.groupUserIds.includes(value) : t[field] === value
      expect(points === null || points.some(isAt)).toBe(true)
    }),
    { numRuns },
  )
  expect(narrow).toBeGreaterThan(numRuns / 40)
})
