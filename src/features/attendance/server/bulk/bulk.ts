import { MOST_CHOSEN } from '#domain/bulk/limits.ts'
import { numberOrNull, numbersIn } from '#domain/keys.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { contactBook, type StagePosition } from '#features/ledger/server/ports/index.ts'
import { liveTicketsOf } from '#features/ledger/server/removal/index.ts'
import { factsOf, ticketsOfConnection } from '#features/ledger/server/rows/index.ts'
import {
  assignees,
  changeTags,
  conversationsOf,
  insertAllLogs,
  restoreTags,
  ticketImages,
  ticketsById,
  writeTickets,
} from '#features/ledger/server/sets/index.ts'
import { actionsOf } from '#features/macros/server/index.ts'
import { type BulkArgs, ticketsBulk } from '#features/tickets/bulk-contract.ts'
import { enqueueOpenings } from '#features/tickets/server/actions/index.ts'
import { followFields } from '#features/tickets/server/change/index.ts'
import { selectTicketIds } from '#features/tickets/server/list/index.ts'
import { withdrawTransfers } from '#features/tickets/server/notifications/index.ts'
import { announceAll, isVisible, type KnownTicket } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { type ErrorCode, fail } from '#kit/errors.ts'
import type { BulkKind, Return, UserCtx } from '#server/bulk/kind.ts'
import { previewBulk, startBulk } from '#server/bulk/work.ts'
import { implement } from '#server/http/route.ts'
import { decideAll, type TicketPlan } from './bulk-decide.ts'
import { alreadySent, takeBackWritten, writePlanned } from './bulk-messages.ts'
import { finalizeTickets } from './finalize.ts'

/** Bulk operations on tickets. */
export const ticketsKind: BulkKind<KnownTicket, TicketPlan> = {
  name: 'tickets',
  can: 'tickets:write',
  missing: 'ERR_NO_TICKET_FOUND',
  constraints: {
    tickets_one_line: 'ERR_OTHER_OPEN_TICKET',
    tickets_stage: 'ERR_CHANGED_SINCE',
  },
  loose: ['unread_messages', 'updated_at', 'waiting_since', 'snoozed_until'],
  async load(ctx, ids, lock) {
    const known = new Map<number, KnownTicket>()
    for (const [id, row] of await ticketsById(ctx.db, ids, lock !== 'read')) {
      const facts = factsOf(row)
      if (lock === 'lock any' || isVisible(ctx, facts)) known.set(id, { row, facts })
    }
    return known
  },
  decide: decideAll,
  async write(ctx, chosen) {
    const by = { by: ctx.user.id, now: ctx.now }
    const plans = [...chosen].map(([id, { change }]) => ({ id, ...change }))
    await writeTickets(ctx.db, plans, by)
    await insertAllLogs(
      ctx.db,
      plans.flatMap(({ id, logs }) => logs.map((log) => ({ ...log, ticketId: id }))),
      ctx.now,
    )
    // All tickets of an operation share one action, and so the same tags.
    const [tags] = plans.flatMap(({ tags }) => tags ?? [])
    if (tags) await changeTags(ctx.db, { ids: [...chosen.keys()], ...tags })
    await claimTargets(ctx, chosen)
    await moveContacts(ctx, chosen)
    await followFields(ctx, plans)
    await writePlanned(ctx, plans)
    for (const [ticketId, { subject, change }] of chosen) {
      const about = { ticketId, contactId: subject.row.contact_id }
      enqueueOpenings(ctx, change.openings ?? [], { wish: `macro:${ctx.newId()}`, ...about })
    }
  },
  async publish(ctx, chosen) {
    await announceAll(
      ctx,
      [...chosen.values()].map(({ subject }) => subject),
    )
    const assigned = [...chosen].flatMap(
      ([
        ticketId,
        {
          subject,
          change: { fields },
        },
      ]) => {
        const { user_id: userId, status = subject.row.status } = fields
        return typeof userId === 'number' && status === 'open' ? [{ ticketId, userId, byUserId: ctx.user.id }] : []
      },
    )
    await runHooks(ctx, 'onAssigned', assigned)
  },
  images: (ctx, ids) => ticketImages(ctx.db, ids),
  async obstacles(ctx, returns) {
    const waking = returns.filter(
      ({ fields, subject }) => isActive(fields['status']) && subject.row.status === 'closed',
    )
    const conversations = await conversationsOf(
      ctx.db,
      waking.map(({ id }) => id),
    )
    // A user who has left meanwhile does not get the ticket back.
    const owners = returns.map(ownerOf).filter((id) => id !== null)
    const present = await assignees(ctx.db, owners)
    const found = new Map<number, ErrorCode>(await alreadySent(ctx, returns))
    for (const one of returns) {
      const owner = ownerOf(one)
      if (owner !== null && !present.has(owner)) found.set(one.id, 'ERR_CHANGED_SINCE')
      if (conversations.get(one.id)?.isTaken) found.set(one.id, 'ERR_OTHER_OPEN_TICKET')
    }
    return found
  },
  async restore(ctx, returns) {
    const writes = returns.map(({ id, fields: { tags: _, messages: __, position: ___, ...fields }, before }) => ({
      id,
      fields: fields,
      back: { revision: before.revision, changedBy: before.changedBy, changedAt: before.changedAt },
    }))
    await writeTickets(ctx.db, writes, { by: ctx.user.id, now: ctx.now })
    await followFields(ctx, writes)
    const tagsOf = new Map(
      returns.flatMap(({ id, fields }) => ('tags' in fields ? [[id, numbersIn(fields['tags'])] as const] : [])),
    )
    if (tagsOf.size > 0) await restoreTags(ctx.db, tagsOf)
    await takeBackWritten(ctx, returns)
    const positions = returns.flatMap(({ fields, subject }) =>
      'position' in fields ? [[subject.row.contact_id, fields['position'] as StagePosition] as const] : [],
    )
    if (positions.length > 0) await contactBook().restoreStages(ctx, new Map(positions))
    const logs = returns.map(({ id, subject }) => {
      return { ticketId: id, type: 'undo', userId: ctx.user.id, queueId: subject.row.queue_id } as const
    })
    await insertAllLogs(ctx.db, logs, ctx.now)
  },
  async publishReturn(ctx, returns, authorId) {
    await announceAll(
      ctx,
      returns.map(({ subject }) => subject),
    )
    const given = returns.flatMap(({ id, before, after }) => {
      const { user_id: userId, status } = after.fields
      const isGiven = status === 'open' && userId !== before.fields['user_id'] && userId !== authorId
      return isGiven && typeof userId === 'number' ? [{ ticketId: id, userId }] : []
    })
    await withdrawTransfers(ctx, given)
  },
  finalize: finalizeTickets,
}

// Claims the numbers as addresses on the channel for contacts who never wrote there.
async function claimTargets(
  { db }: UserCtx,
  chosen: ReadonlyMap<number, { readonly subject: KnownTicket; readonly change: TicketPlan }>,
): Promise<void> {
  const targets = [...chosen.values()].flatMap(({ subject, change: { fields } }) => {
    const { conversation_key: identity, channel } = fields
    if (typeof identity !== 'string' || typeof channel !== 'string') return []
    return [{ contactId: subject.row.contact_id, channel, identity }]
  })
  if (targets.length > 0 && !(await contactBook().claimAll(db, targets))) fail('ERR_NO_ADDRESS')
}

// All tickets of an operation share one action, and so the same stage; the stage belongs to the contact.
async function moveContacts(
  ctx: UserCtx,
  chosen: ReadonlyMap<number, { readonly subject: KnownTicket; readonly change: TicketPlan }>,
): Promise<void> {
  const moving = [...chosen.values()].filter(({ change }) => change.fields.kanban !== undefined)
  const [first] = moving
  if (!first) return
  const ids = [...new Set(moving.map(({ subject }) => subject.row.contact_id))]
  await contactBook().setStage(ctx, ids, { kanban: numberOrNull(first.change.fields.kanban) })
}

const isActive = (status: unknown): boolean => status === 'open' || status === 'pending'
const ownerOf = ({ fields }: Return): number | null => numberOrNull(fields['user_id'])

/** Starts an action on the named tickets, or on all that the user sees under a filter. */
async function startTickets(
  ctx: UserCtx,
  body: Input<typeof ticketsBulk.start>['body'],
): Promise<Returned<typeof ticketsBulk.start>> {
  const { filter, expected, action, args = {}, dryRun } = body
  const ids = filter ? await selectTicketIds(ctx, filter, MOST_CHOSEN + 1) : [...new Set(body.ids)]
  if (ids.length > MOST_CHOSEN) fail('ERR_SELECTION_TOO_LARGE')
  if (filter && expected !== undefined && expected !== ids.length) fail('ERR_SELECTION_CHANGED', { count: ids.length })
  // The macro's actions at the start apply to the whole operation.
  const actions = args.macroId === undefined ? {} : { actions: await actionsOf(ctx, args.macroId) }
  return (dryRun ? previewBulk : startBulk)(ctx, ticketsKind, { action, args: { ...args, ...actions } }, ids)
}

/** Closes all open and pending tickets of a connection, in one operation. */
export async function startClosing(
  ctx: UserCtx,
  of: { readonly connectionId: number; readonly status: 'open' | 'pending' },
  args: Pick<BulkArgs, 'reasons'>,
): Promise<Returned<typeof ticketsBulk.start>> {
  const ids = await ticketsOfConnection(ctx.db, of, MOST_CHOSEN + 1)
  if (ids.length > MOST_CHOSEN) fail('ERR_SELECTION_TOO_LARGE')
  return startBulk(ctx, ticketsKind, { action: 'close', args }, ids)
}

/** Closes all active tickets of a contact that the user may see, in one operation. */
export async function startClosingOf(
  ctx: UserCtx,
  contactId: number,
  args: Pick<BulkArgs, 'reasons'>,
): Promise<Returned<typeof ticketsBulk.start>> {
  const live = await liveTicketsOf(ctx.db, contactId, MOST_CHOSEN + 1)
  if (live.length > MOST_CHOSEN) fail('ERR_SELECTION_TOO_LARGE')
  const seen = await ticketsKind.load(ctx, live, 'read')
  return startBulk(ctx, ticketsKind, { action: 'close', args }, [...seen.keys()])
}

/** Route handlers of bulk operations on tickets. */
export const ticketBulkRoutes = implement(ticketsBulk, { start: (ctx, { body }) => startTickets(ctx, body) })
