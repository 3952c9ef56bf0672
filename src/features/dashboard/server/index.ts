import { seesWide } from '#domain/access/profiles.ts'
import { dayIn } from '#domain/calendar/local-time.ts'
import { type FigureList, figuresOf, listOfAge, WAITING_AGES } from '#domain/tickets/figures.ts'
import { countBirthdays } from '#features/birthdays/server/index.ts'
import { countScheduled } from '#features/schedules/server/index.ts'
import { inList } from '#features/tickets/server/list/index.ts'
import { isOn } from '#kit/settings.ts'
import { may } from '#server/actors.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { dashboard } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { columnsOf, loadOfQueue, staffOf } from './columns.ts'
import { countBy, countEach, longestWait, namesOf, onlineUsers } from './queries.ts'

const SHOWN_PEOPLE = 60

const routes = implement(dashboard, {
  live: async (ctx, { query: { groups = false } }) => {
    const { db, user, settings, now } = ctx
    const isWide = seesWide(user, isOn(settings, 'supervisorAdmin'))
    // A number is counted where its list is read, for the same person: it opens exactly its rows.
    const of = (figure: FigureList) => inList(ctx, { ...figure, showAll: isWide })
    const { open, pending, waiting, warned, missed, closedToday, live } = figuresOf(groups)
    const today = dayIn(settings.timezone, now.getTime())
    const online = await onlineUsers(db)
    const load = isWide ? new Map((await countBy(db, 'user', of(open))).map((one) => [one.id, one.open])) : null
    const aged = await countEach(
      db,
      Object.fromEntries(WAITING_AGES.map((minutes) => [`of_${minutes}`, of(listOfAge(groups, minutes))])),
    )
    const queues = new Map((await countBy(db, 'queue', of(live))).map((one) => [one.id, one]))
    const staff = may(user, settings, 'panel:read') ? await staffOf(ctx, isWide) : null
    const names = await namesOf(db, 'queue')
    const freeOf = (id: number | null): number | null =>
      id !== null && staff?.isOwn(id) ? loadOfQueue(staff.people, id).free : null
    const staffed = [...names.keys()].filter((id) => (freeOf(id) ?? 0) > 0)
    return {
      isWide,
      today,
      ...(await countEach(db, {
        open: of(open),
        pending: of(pending),
        waiting: of(waiting),
        warned: of(warned),
        missed: of(missed),
        closedToday: of(closedToday),
      })),
      longestWait: (await longestWait(db, of(waiting))) ?? null,
      ages: WAITING_AGES.map((minutes) => ({ minutes, count: aged[`of_${minutes}`]! })),
      scheduled: may(user, settings, 'schedules:read') ? await countScheduled(ctx, today) : null,
      birthdays: may(user, settings, 'birthdays:read') ? await countBirthdays(ctx) : null,
      queues: [...new Set([...queues.keys(), ...staffed])]
        .map((id) => ({
          id,
          name: id === null ? null : (names.get(id) ?? null),
          open: queues.get(id)?.open ?? 0,
          pending: queues.get(id)?.pending ?? 0,
          free: freeOf(id),
        }))
        .toSorted(
          (a, b) => b.open + b.pending - a.open - a.pending || (a.name ?? '').localeCompare(b.name ?? '', 'pt-BR'),
        ),
      online: online.slice(0, SHOWN_PEOPLE).map(({ id, name }) => ({ id, name, open: load && (load.get(id) ?? 0) })),
      onlineCount: online.length,
    }
  },
  columns: async (ctx, { query }) => ({ columns: await columnsOf(ctx, query) }),
})

/** Server part of the feature `dashboard`: the dashboard's live figures. */
export const dashboardFeature: Feature = { name: 'dashboard', titles: { dashboard: 'Painel' }, permissions, routes }
