import { scheduleChoices } from '#domain/messages/schedule.ts'
import { firstOf, lookUp } from '#domain/present.ts'
import { findActive, findContact, insertLogs, insertTicket } from '#features/ledger/server/changes/index.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { renewLinkCards } from '#features/ledger/server/links/index.ts'
import {
  addTrail,
  announceWaiting,
  findMessages,
  serializeMessage,
  updateMessage,
} from '#features/ledger/server/messages/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import {
  countWaiting,
  enqueueDue,
  lastTicket,
  listScheduled,
  lockWaiting,
  moveSchedules,
  SCHEDULED,
  type ScheduledFilter,
} from '#features/ledger/server/scheduled/index.ts'
import { ledgerFacts, lockLedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { answer } from '#features/messages/server/acts/index.ts'
import {
  checkBody,
  requireSchedulable,
  storeMessages,
  wishOf,
  withOutgoing,
  withSignature,
} from '#features/messages/server/send/index.ts'
import { findFew } from '#features/notes/server/index.ts'
import { keyFor, requireContact } from '#features/tickets/server/begin/index.ts'
import { failWithActive, loadDetail } from '#features/tickets/server/change/index.ts'
import { announce, requireVisible, requireVisibleMessage, visibleSql } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { codeOf, fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import { companyHours } from '#server/company-hours.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { transcoderOf } from '#server/media/ffmpeg.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { StoredFile } from '#server/storage.ts'
import { schedules } from '../contract.ts'
import { fillScheduled } from './fill-in.ts'
import { releaseMessages, scheduleNext } from './release.ts'

type UserCtx = Ctx & { user: Actor }

/** Routes of scheduled messages. */
export const scheduleRoutes = implement(schedules, {
  list: (ctx, { query }) => list(ctx, query),
  choices: (ctx, { query }) => offer(ctx, query.whatsappId),
  create: (ctx, { body, files }) => create(ctx, body, files),
})

/** Hook that moves a conversation's scheduled messages to its new ticket. */
export const adoptSchedules: Hook<'onOpened'> = {
  name: 'adopt-schedules',
  run: async (ctx, batch) => {
    const tickets = await lockLedgerTickets(
      ctx.db,
      batch.map(({ ticketId }) => ticketId),
    )
    await moveSchedules(ctx.db, tickets)
    return {}
  },
}

/** Counts the scheduled messages in visible tickets that are due on a day of the company's zone. */
export const countScheduled = (ctx: ReadCtx & { user: Actor }, day: string): Promise<number> =>
  countWaiting(ctx.db, filterOf(ctx, { from: day, to: day }))

/** Returns the scheduled messages in visible tickets due on some days of the company's zone, next first. */
export async function scheduledOn(
  ctx: ReadCtx & { user: Actor },
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
) {
  const found = await listScheduled(ctx.db, filterOf(ctx, { from, to }), { after: null, offset: 0, limit })
  const at = new Map(found.map(({ id, dueAt }) => [id, new Date(dueAt / 1000)]))
  const records = await findMessages(ctx.db, [...at.keys()])
  return records
    .map((one) => ({
      ...{ id: one.id, ticketId: one.ticket_id, contactName: one.contact_name, body: one.body, at: lookUp(at, one.id) },
    }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function filterOf(
  { user: viewer, settings }: Pick<ReadCtx, 'settings'> & { user: Actor },
  query: Partial<Input<typeof schedules.list>['query']>,
  search: ScheduledFilter['search'] = null,
): ScheduledFilter {
  const { past = false, from, to, user, whatsappId, ticketId, contactId } = query
  const of = { ticketId, contactId, user, whatsappId }
  return { visible: visibleSql(viewer, settings), past, search, ...of, from, to, zone: settings.timezone }
}

async function soughtIn({ db, user }: ReadCtx & { user: Actor }, text: string | undefined) {
  if (!text) return null
  // A match by name would reveal hidden names.
  const search = { text, names: !user.restrictedUser }
  return {
    ...search,
    few: await findFew(db, { ...search, bodies: { types: null }, ticketId: null, ofList: SCHEDULED }),
  }
}

async function list(
  ctx: ReadCtx & { user: Actor },
  { page, ...query }: Input<typeof schedules.list>['query'],
): Promise<Returned<typeof schedules.list>> {
  const { ticketId } = query
  if (ticketId !== undefined) await requireVisible(ctx, ticketId)
  const asked = { ...query, pageNumber: page ?? query.pageNumber }
  const start = exactPageStartOf<[number, number]>(asked, 2)
  const found = await listScheduled(ctx.db, filterOf(ctx, query, await soughtIn(ctx, query.searchParam)), start)
  const { rows, paging } = pageOf(found, ({ dueAt, seq }) => [dueAt, seq])
  const records = await findMessages(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const byId = new Map(records.map((record) => [record.id, record]))
  return {
    messages: rows.map(({ id, cancel_on_reply: cancelOnReply, repeat }) => {
      const record = lookUp(byId, id)
      const message = serializeMessage(ctx.platform, ctx.tenantId, record)
      const { contact_name: contactName, connection_id: whatsappId } = record
      return { ...message, contactName, whatsappId, cancelOnReply, repeat }
    }),
    count: rows.length,
    countIsCapped: paging.hasMore,
    ...paging,
  }
}

async function offer(
  { db, settings, now, platform }: ReadCtx,
  whatsappId: number | undefined,
): Promise<Returned<typeof schedules.choices>> {
  const { week, holidays } = companyHours(settings)
  const choices = scheduleChoices(now.getTime(), { zone: settings.timezone, week, holidays })
  const connection = whatsappId === undefined ? undefined : await findConnection(db, whatsappId)
  const { files, viewOnce } = capabilitiesOf(connection?.type ?? '')
  return {
    choices: choices.map(({ label, at }) => ({ label, at: new Date(at) })),
    carried: connection ? { files, viewOnce, transcodes: transcoderOf(platform.env) !== null } : null,
  }
}

async function create(
  { platform, tenantId, user }: SlowCtx,
  { isVoice, isSticker, ...body }: Input<typeof schedules.create>['body'],
  files: readonly StoredFile[],
): Promise<Returned<typeof schedules.create>> {
  const { type: channel } = required(
    await platform.db.read(tenantId, (db) => findConnection(db, body.whatsappId)),
    'ERR_NO_WAPP_FOUND',
  )
  const wish = wishOf({ isVoice, isSticker, durationMs: body.durationMs })
  return withOutgoing(platform, { tenantId, channel, files, wish }, (outgoing) =>
    unit(platform, { tenantId, user }, async (base) => {
      const ctx = { ...base, user }
      const { whatsappId, contactId, idFront = ctx.newId(), ...message } = body
      const ticketId = await ticketFor(ctx, contactId, whatsappId)
      const { messages } = await storeMessages(ctx, { ...message, idFront, ticketId, isNote: false, files: outgoing })
      return { messages }
    }),
  )
}

// The live ticket, if one may see it; else the last one of the conversation, which stays closed; else one is made for it
// that is closed from its beginning, and counts in no figure.
async function ticketFor(ctx: UserCtx, contactId: number, connectionId: number): Promise<number> {
  const contact = required(await findContact(ctx.db, contactId), 'ERR_NO_CONTACT_FOUND')
  const connection = required(await findConnection(ctx.db, connectionId), 'ERR_NO_WAPP_FOUND')
  if (!mayUseConnection(ctx.user, ctx.settings, connectionId)) fail('ERR_NO_PERMISSION')
  const key = await keyFor(ctx, contact, connection.type)
  const active = await findActive(ctx.db, connectionId, key)
  const known = active ?? (await lastTicket(ctx.db, connectionId, key))
  const isSeen =
    known !== undefined &&
    (await requireVisible(ctx, known.id).then(
      () => true,
      (error: unknown) => (isHidden(error) ? false : Promise.reject(error)),
    ))
  if (known && isSeen) return known.id
  await requireContact(ctx, contactId)
  if (active) return failWithActive(ctx, active)
  const id = await insertTicket(ctx.db, {
    status: 'closed',
    user_id: ctx.user.id,
    queue_id: connection.queue_id,
    connection_id: connectionId,
    contact_id: contactId,
    conversation_key: key,
    channel: connection.type,
    is_group: contact.is_group,
    is_active_demand: true,
    started_attendance_at: null,
    now: ctx.now,
  })
  await insertLogs(ctx.db, id!, [{ type: 'create', userId: ctx.user.id, queueId: connection.queue_id }], ctx.now)
  announce(ctx, null, (await loadDetail(ctx, id!)).loaded)
  return id!
}

const isHidden = (error: unknown) => codeOf(error) === 'ERR_NO_TICKET_FOUND'

/** Changes text, time or repetition of a scheduled message, or releases it at once (`scheduleDate` null). */
export async function changeWaiting(
  ctx: UserCtx,
  id: string,
  asked: {
    body?: string | undefined
    scheduleDate?: string | null | undefined
    repeat?: string | null | undefined
    cancelOnReply?: boolean | undefined
  },
) {
  const [before] = await findMessages(ctx.db, [id])
  if (!before) return fail('ERR_FETCH_WAPP_MSG')
  await requireVisibleMessage(ctx, before.ticket_id)
  const ticket = (await lockLedgerTicket(ctx.db, before.ticket_id)) ?? fail('ERR_FETCH_WAPP_MSG')
  const [waiting] = await lockWaiting(ctx.db, [id])
  if (!waiting?.schedule_date) return fail('ERR_SEND_STATE')
  const { scheduleDate, repeat = waiting.repeat, cancelOnReply } = asked
  const body = asked.body === undefined ? waiting.body : withSignature(ctx, ctx.user, asked.body)
  if (body.trim() === '' && waiting.file_id === null) fail('ERR_MESSAGE_EMPTY')
  checkBody(ticket, body)
  // A flow's message whose text a user edits becomes that user's.
  const author = asked.body === undefined ? waiting.user_id : (waiting.user_id ?? ctx.user.id)
  const at =
    scheduleDate === undefined
      ? waiting.schedule_date
      : scheduleDate === null
        ? ctx.now
        : new Date(requireSchedulable(scheduleDate, ctx.now))
  await updateMessage(ctx.db, id, {
    body,
    user_id: author,
    schedule_date: at,
    send_at: at,
    ...(cancelOnReply === undefined ? {} : { cancel_on_reply: cancelOnReply }),
    ...(repeat === waiting.repeat && scheduleDate === undefined ? {} : { repeat, repeat_from: repeat && at }),
  })
  const detail = { for: at.toISOString(), user: ctx.user.name }
  await addTrail(ctx.db, [{ messageId: id, step: 'rescheduled', detail }])
  if (scheduleDate === null) {
    const now = firstOf(await fillScheduled(ctx, [{ ...waiting, body, user_id: author, schedule_date: at }]))
    checkBody(ticket, now.body)
    await releaseMessages(ctx, [now], [ticket])
    // Released early; the later occurrences keep their times.
    await scheduleNext(ctx, [{ ...waiting, body, user_id: author, repeat }], [ticket], waiting.schedule_date)
    return answer(ctx, id)
  }
  enqueueDue(ctx, [at.getTime()])
  const row = firstOf(await findMessages(ctx.db, [id]))
  renewLinkCards(ctx, [row])
  announceWaiting(ctx, row, ledgerFacts(ticket))
  return answer(ctx, id)
}
