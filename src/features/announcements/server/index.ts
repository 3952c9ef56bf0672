import { fail } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { transactionTime } from '#server/db/db.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { announcementEvents, announcements } from '../contract.ts'
import { errors } from '../errors.ts'
import {
  countAnnouncements,
  deleteAnnouncements,
  insertAnnouncements,
  listAnnouncements,
  listUnread,
  markRead,
} from './queries.ts'

/** Maximum number of announcements shown to a user at once. */
const MOST_SHOWN = 20

const routes = implement(announcements, {
  list: async ({ platform }, { query }) => {
    const { searchParam: search } = query
    const start = pageStartOf<[number]>(query, 1)
    const [found, counted] = await platform.db.asPlatform(async (db) => [
      await listAnnouncements(db, search, start),
      await countAnnouncements(db, search, COUNTED),
    ])
    const { rows, paging } = pageOf(found, ({ id }) => [id])
    return {
      notifications: rows.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() })),
      ...countOf(counted),
      ...paging,
    }
  },
  create: async ({ platform, user, now, audit }, { body }) => {
    const given = { ...body, batch: uuidv7(now.getTime()), authorName: user.name }
    const people = await platform.db.asPlatform((db) => insertAnnouncements(db, given, transactionTime(db)))
    if (people.size === 0) return fail('ERR_NOBODY_TO_TELL')
    // Users who miss the event get the announcement with the next page they open.
    for (const [tenantId, ids] of people)
      await unit(platform, { tenantId, user: null }, async (ctx) =>
        ctx.emit(announcementEvents.created, { count: 1 }, { kind: 'users', ids, isPersonal: true }),
      ).catch((err) => platform.log.warn({ err, tenantId }, 'an announcement was not told'))
    const count = [...people.values()].reduce((sum, ids) => sum + ids.length, 0)
    audit({ after: { message: body.message, companies: people.size, count } })
    return { count }
  },
  removeAll: async ({ platform, audit }) => {
    const count = await platform.db.asPlatform((db) => deleteAnnouncements(db, null))
    audit({ after: { count } })
    return { count }
  },
  mine: async ({ db, user }) => {
    const rows = await listUnread(db, user.id, MOST_SHOWN)
    return {
      notifications: rows.map(({ id, message, author_name: authorName, created_at: at }) => ({
        ...{ id, message, authorName },
        createdAt: at.toISOString(),
      })),
    }
  },
  read: async (ctx, { params }) =>
    (await markRead(ctx.db, params.noticeId, ctx.user.id, ctx.now))
      ? { message: 'ok' }
      : fail('ERR_NO_ANNOUNCEMENT_FOUND'),
  remove: async ({ platform }, { params }) =>
    (await platform.db.asPlatform((db) => deleteAnnouncements(db, params.noticeId))) > 0
      ? { message: 'ok' }
      : fail('ERR_NO_ANNOUNCEMENT_FOUND'),
})

/** Server part of the feature `announcements`: announcements of the superadmin to users. */
export const announcementsFeature: Feature = {
  name: 'announcements',
  titles: { announcements: 'Avisos da instalação' },
  errors,
  routes,
}
