import { seesWide } from '#domain/access/profiles.ts'
import { visibleSql } from '#features/tickets/server/index.ts'
import { isOn } from '#kit/settings.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { dashboard, type LiveFigures } from '../contract.ts'
import { startOfDay } from './day.ts'
import { countClosed, countMessages, type LiveGroup, liveGroups, onlineUsers, queueNames } from './queries.ts'

const SHOWN_PEOPLE = 60

const routes = implement(dashboard, {
  live: async ({ db, user, settings, now }) => {
    const isWide = seesWide(user, isOn(settings, 'supervisorAdmin'))
    const visible = visibleSql(user, settings)
    const since = startOfDay(settings.timezone, now.getTime())
    const groups = await liveGroups(db, visible)
    const messages = await countMessages(db, isWide ? null : visible, since)
    const online = await onlineUsers(db)
    return {
      isWide,
      open: sum(groups, 'conversations', (group) => group.status === 'open'),
      pending: sum(groups, 'conversations', (group) => group.status === 'pending'),
      waiting: sum(groups, 'waiting'),
      longestWait: longestWait(groups),
      closedToday: await countClosed(db, visible, since),
      receivedToday: messages.received,
      sentToday: messages.sent,
      queues: byQueue(groups, await queueNames(db)),
      online: online.slice(0, SHOWN_PEOPLE).map(({ id, name }) => ({
        id,
        name,
        open: isWide ? sum(groups, 'conversations', (group) => group.status === 'open' && group.user_id === id) : null,
      })),
      onlineCount: online.length,
    }
  },
})

const sum = (
  groups: readonly LiveGroup[],
  what: 'conversations' | 'waiting',
  where: (group: LiveGroup) => boolean = () => true,
): number => groups.filter(where).reduce((total, group) => total + group[what], 0)

function longestWait(groups: readonly LiveGroup[]): LiveFigures['longestWait'] {
  const [first] = groups
    .flatMap(({ longest_id: ticketId, longest_since: since, status }) =>
      ticketId && since ? [{ ticketId, status, since: since.getTime() }] : [],
    )
    .sort((a, b) => a.since - b.since)
  return first ?? null
}

function byQueue(groups: readonly LiveGroup[], names: ReadonlyMap<number, string>): LiveFigures['queues'] {
  return [...Map.groupBy(groups, (group) => group.queue_id)]
    .map(([id, members]) => ({
      id,
      name: id === null ? null : (names.get(id) ?? null),
      open: sum(members, 'conversations', (group) => group.status === 'open'),
      pending: sum(members, 'conversations', (group) => group.status === 'pending'),
    }))
    .filter((queue) => queue.open + queue.pending > 0)
    .sort((a, b) => b.open + b.pending - a.open - a.pending)
}

/** The panel's live figures. */
export const dashboardFeature: Feature = { name: 'dashboard', routes }
