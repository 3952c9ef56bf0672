import { lastOf } from '#domain/present.ts'
import { tabOf } from '#domain/tickets/filter.ts'
import { TICKET_LOG_LABELS } from '#domain/tickets/logs.ts'
import { explain } from '#domain/tickets/visibility.ts'
import { findActiveOfContact } from '#features/ledger/server/changes/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import { mailAnswer } from '#features/messages/server/send/index.ts'
import { isVisible, requireVisible } from '#features/visibility/server/index.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import { may, visibilitySettings } from '#server/actors.ts'
import { actorWithin } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { tickets } from '../contract.ts'
import { requireContact } from './begin/contact.ts'
import { beginWith, createTicket } from './begin/create.ts'
import { reach } from './begin/reach.ts'
import { changeTicket, forceTicket, nullifyTicket } from './change/change.ts'
import { failWithActive } from './change/conflict.ts'
import { loadDetail } from './change/detail.ts'
import { listLogs } from './change/queries-detail.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { setFollowing } from './followers/followers.ts'
import { listHidden, listViewers } from './list/explain.ts'
import { listTickets } from './list/list.ts'
import { listOfContact } from './list/of-contact.ts'
import { readTicket } from './sets/read.ts'

const LOGS = 30
const LAST_NUMBERED_PAGE = 50

/** Route handlers of tickets. */
export const ticketRoutes = implement(tickets, {
  ofContact: (ctx, { params, query }) => listOfContact(ctx, params.contactId, query),
  list: (ctx, { query }) => listTickets(ctx, query),
  get: async (ctx, { params }) => {
    const { detail, loaded } = await loadDetail(ctx, params.id)
    return isVisible(ctx, loaded.facts) ? detail : fail('ERR_NO_TICKET_FOUND')
  },
  logs: async (ctx, { params, query }) => {
    await requireVisible(ctx, params.id)
    if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
    const before = query.cursor ? Number(decodeCursor(query.cursor, 1)[0]) : null
    const offset = before === null ? (query.pageNumber - 1) * LOGS : 0
    const rows = await listLogs(ctx.db, params.id, { before, offset, limit: LOGS + 1 })
    const page = rows.slice(0, LOGS)
    const hasMore = rows.length > LOGS
    return {
      logs: page.map((row) => ({
        id: row.id,
        type: row.type,
        label: TICKET_LOG_LABELS[row.type],
        createdAt: row.created_at,
        user: row.user_name === null ? null : { name: row.user_name },
        queue: row.queue_name === null ? null : { queue: row.queue_name },
        reason: row.data.reason ?? null,
        until: row.data.until ?? null,
      })),
      count: page.length,
      countIsCapped: hasMore,
      hasMore,
      nextCursor: hasMore ? encodeCursor([lastOf(page).id]) : null,
    }
  },
  explain: async (ctx, { params, query }) => {
    const { facts } = await requireVisible(ctx, params.id)
    const { userId = ctx.user.id } = query
    const isOther = userId !== ctx.user.id
    if (isOther && !may(ctx.user, ctx.settings, 'tickets:all')) fail('ERR_NO_PERMISSION')
    const viewer = isOther ? await actorWithin(ctx, userId) : ctx.user
    const settings = visibilitySettings(ctx.settings)
    const decided = explain(facts, required(viewer, 'ERR_NO_USER_FOUND'), settings, null)
    return { ...decided, tab: tabOf(facts, settings) }
  },
  create: (ctx, { body }) => createTicket(ctx, body),
  reach: (ctx, { query }) => reach(ctx, query),
  begin: (ctx, { body }) => beginWith(ctx, body),
  update: (ctx, { params, body }) => changeTicket(ctx, params.id, body),
  read: (ctx, { params, body }) => readTicket(ctx, params.id, body),
  force: (ctx, { params, body }) => forceTicket(ctx, params.id, body),
  nullify: (ctx, { params, body }) => nullifyTicket(ctx, params.id, body),
  check: async (ctx, { params }) => {
    await requireContact(ctx, params.a)
    required(await findConnection(ctx.db, params.b), 'ERR_NO_WAPP_FOUND')
    const active = await findActiveOfContact(ctx.db, params.a, params.b)
    return active ? failWithActive(ctx, active) : null
  },
  draft: (ctx, { params, body }) => writeDraft(ctx, params.id, body),
  getDraft: (ctx, { params }) => readDraft(ctx, params.id),
  answer: async (ctx, { params }) => mailAnswer(ctx, (await requireVisible(ctx, params.id)).row),
  viewers: (ctx, { params, query }) => listViewers(ctx, params.id, query),
  hidden: (ctx, { query }) => listHidden(ctx, query),
  follow: (ctx, { params }) => setFollowing(ctx, params.id, true),
  unfollow: (ctx, { params }) => setFollowing(ctx, params.id, false),
})
