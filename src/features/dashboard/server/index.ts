import { seesWide } from '#domain/access/profiles.ts'
import { startOfDay } from '#domain/calendar/day.ts'
import { FIGURES, type FigureList } from '#domain/tickets/figures.ts'
import { inList, visibleSql } from '#features/conversations/server/index.ts'
import { isOn } from '#kit/settings.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { dashboard } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { countByOwner, countByQueue, countEach, countMessages, longestWait, onlineUsers } from './queries.ts'

const SHOWN_PEOPLE = 60

const routes = implement(dashboard, {
  live: async (ctx) => {
    const { db, user, settings, now } = ctx
    const isWide = seesWide(user, isOn(settings, 'supervisorAdmin'))
    // A number is counted where its list is read, for the same person: it opens exactly its rows.
    const of = (figure: FigureList) => inList(ctx, { ...figure, showAll: isWide })
    const { open, pending, waiting, closedToday } = FIGURES
    const since = startOfDay(settings.timezone, now.getTime())
    const messages = await countMessages(db, isWide ? null : visibleSql(user, settings), since)
    const online = await onlineUsers(db)
    const load = isWide ? await countByOwner(db, of(FIGURES.people)) : null
    return {
      isWide,
      ...(await countEach(db, {
        open: of(open),
        pending: of(pending),
        waiting: of(waiting),
        closedToday: of(closedToday),
      })),
      longestWait: (await longestWait(db, of(waiting))) ?? null,
      receivedToday: messages.received,
      sentToday: messages.sent,
      queues: await countByQueue(db, of(FIGURES.queues)),
      online: online.slice(0, SHOWN_PEOPLE).map(({ id, name }) => ({ id, name, open: load && (load.get(id) ?? 0) })),
      onlineCount: online.length,
    }
  },
})

/** The panel's live figures. */
export const dashboardFeature: Feature = { name: 'dashboard', titles: { dashboard: 'Painel' }, permissions, routes }
