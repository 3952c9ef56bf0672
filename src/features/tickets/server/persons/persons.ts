import { z } from 'zod'
import { numberOrNull } from '#domain/keys.ts'
import { lastOf, lookUp, present } from '#domain/present.ts'
import { autoClose } from '#domain/tickets/transitions.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { enqueueSending } from '#features/ledger/server/outbox/index.ts'
import {
  assignTickets,
  changePair,
  claimMessages,
  closedOf,
  counterpartOf,
  forgetPair,
  linkedTickets,
  lockLive,
  moveMessages,
  type PartedPair,
  partedPairs,
  planAfresh,
  recountUnread,
  savePairs,
  splitOff,
  strayMessages,
  type TicketPair,
  takeBackAddresses,
  takeOver,
  unreadAmong,
  whoIsThere,
} from '#features/ledger/server/persons/index.ts'
import { insertAllLogs, type TicketFields, ticketImages, writeTickets } from '#features/ledger/server/sets/index.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { announceAll, lockTicket } from '#features/visibility/server/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { stateOf } from '../change/change.ts'
import { writeMoves } from '../change/write-moves.ts'
import { summarize } from '../sets/mend.ts'

/** Number of closed tickets reassigned in one transaction; limits how long a message of the person waits. */
const BLOCK = 100
/** Number of closed tickets that are reassigned at once, together with the active ones. */
const AT_ONCE = 20

/** Job payload: contacts whose tickets must be reassigned, and whether contacts were separated. */
const reconciling = z.object({ contactIds: z.array(z.number()), isParting: z.boolean() })

/** Job that assigns closed tickets to their current persons, in blocks; idempotent. */
export const reconcileJob = job({
  name: 'persons:reconcile',
  schema: reconciling,
  async run(platform, { tenantId, ...of }, { requireOwnership }) {
    const next = (after: number) =>
      unit(platform, { tenantId, user: null }, async (ctx) => {
        const ids = await closedOf(ctx.db, of.contactIds, after, BLOCK)
        await reconcile(ctx, ids, of)
        await ctx.platform.checkpoint('tickets of persons reconciled')
        return ids.length === BLOCK ? lastOf(ids) : null
      })
    for (let after: number | null = 0; after !== null; requireOwnership()) after = await next(after)
  },
})

/**
 * Moves tickets with contacts that were merged into one person or separated: active ones and a few closed ones at once, many
 * by a job. Of two active tickets of one person on a connection the older one continues. The caller has blocked ingest
 * (`lockIngest`) and locked the contacts.
 */
export async function followPersons(ctx: Ctx, contactIds: readonly number[], isParting: boolean): Promise<void> {
  const of = { contactIds: [...contactIds], isParting }
  const live = await lockLive(ctx.db, contactIds)
  const before = []
  for (const { id } of live) before.push(await lockTicket(ctx, id))
  if (!isParting) await joinLive(ctx, live)
  const ids = live.map(({ id }) => id)
  const reopened = await reconcile(ctx, ids, of)
  await announceAll(ctx, before)
  await announceAll(ctx, reopened)
  const closed = await closedOf(ctx.db, contactIds, 0, AT_ONCE + 1)
  if (closed.length > AT_ONCE) ctx.enqueue(reconcileJob, of)
  else
    await reconcile(
      ctx,
      closed.filter((id) => !ids.includes(id)),
      of,
    )
}

async function joinLive(ctx: Ctx, live: readonly LedgerTicket[]): Promise<void> {
  const pairs: { older: LedgerTicket; other: LedgerTicket }[] = []
  // Threads of one person are separate conversations.
  const alone = live.filter(({ channel }) => !capabilitiesOf(channel).threads)
  for (const [older, ...others] of Map.groupBy(alone, ({ connection_id }) => connection_id).values())
    for (const other of others) pairs.push({ older: older!, other })
  if (pairs.length === 0) return
  const ids = pairs.flatMap(({ older, other }) => [older.id, other.id])
  const imagesBefore = await ticketImages(ctx.db, ids)
  const now = ctx.now.getTime()
  for (const { other } of pairs) {
    const closing = autoClose(stateOf((await lockTicket(ctx, other.id)).row), now, 'merged')
    if (typeof closing !== 'string') await writeMoves(ctx, [{ id: other.id, ...closing }])
  }
  const states = new Map<number, LedgerTicket>()
  for (const { older, other } of pairs)
    states.set(older.id, await takeOver(ctx.db, states.get(older.id) ?? older, other, ctx.now))
  const imagesAfter = await ticketImages(ctx.db, ids)
  const fields = (images: typeof imagesAfter, id: number) => lookUp(images, id).fields
  await savePairs(
    ctx.db,
    pairs.map(({ older, other }) => ({
      ...{ ticketId: other.id, intoId: older.id, before: fields(imagesBefore, other.id) },
      ...{ intoBefore: fields(imagesBefore, older.id), intoAfter: fields(imagesAfter, older.id) },
    })),
    ctx.now,
  )
  const logs = pairs.map(
    ({ older }) => ({ ticketId: older.id, type: 'merged', userId: null, queueId: older.queue_id }) as const,
  )
  await insertAllLogs(ctx.db, logs, ctx.now)
  await runHooks(
    ctx,
    'onClosed',
    pairs.map(({ other }) => ({ ticketId: other.id, how: 'force' })),
  )
}

/**
 * Assigns locked tickets to their persons; after a separation, moves each address's messages to a ticket of its own person.
 * Returns the tickets that became active again.
 */
async function reconcile(
  ctx: Ctx,
  ids: readonly number[],
  { contactIds, isParting }: z.output<typeof reconciling>,
): Promise<Awaited<ReturnType<typeof lockTicket>>[]> {
  if (ids.length === 0) return []
  await planAfresh(ctx.db)
  await assignTickets(ctx.db, ids)
  if (!isParting) return []
  // Includes tickets that were continued in one another.
  const all = [...new Set([...ids, ...(await linkedTickets(ctx.db, ids))])]
  await assignTickets(ctx.db, all)
  const pairs = await partedPairs(ctx.db, all)
  const strays = await strayMessages(ctx.db, all, contactIds)
  const unread = await unreadAmong(ctx.db, all)
  await takeBackAddresses(ctx.db, all)
  const { reopened, goingOn } = await reopen(ctx, pairs)
  const touched = new Set([
    ...strays.map(({ ticketId }) => ticketId),
    ...reopened,
    ...pairs.map(({ finalId }) => finalId),
  ])
  for (const stray of strays) {
    const known = await counterpartOf(ctx.db, stray.ticketId, stray.person)
    const to = known ?? (await splitOff(ctx.db, stray.ticketId, stray.person, stray.last))
    if (known === undefined) reopened.push(to)
    await moveMessages(ctx.db, stray, to)
    if (unread.has(stray.ticketId)) unread.add(to)
    touched.add(to)
  }
  await claimMessages(ctx.db, [...all, ...touched])
  await summarize(ctx, [...touched])
  for (const { ticketId, finalId } of pairs) if (unread.has(finalId)) unread.add(ticketId)
  for (const hadUnread of [true, false])
    await recountUnread(
      ctx.db,
      [...touched].filter((id) => unread.has(id) === hadUnread),
      hadUnread,
    )
  for (const { ticketId } of pairs) if (!goingOn.has(ticketId)) await forgetPair(ctx.db, ticketId)
  const known = []
  for (const id of reopened) known.push(await lockTicket(ctx, id))
  for (const { row } of known) enqueueSending(ctx, row)
  return known
}

const RESTORED = [
  ...([
    'status',
    'user_id',
    'queue_id',
    'started_attendance_at',
    'closed_at',
    'chat_flow_id',
    'chat_flow_node',
  ] as const),
  ...(['bot_retries', 'paused_at', 'total_paused_ms', 'snoozed_until', 'waiting_since', 'unread_messages'] as const),
]
const TAKEN_OVER = ['status', 'user_id', 'queue_id', 'started_attendance_at', 'chat_flow_id'] as const

/**
 * Restores tickets that were merged into others, unless those are closed, and the others, unless users changed them. Of
 * several tickets of one person the oldest is reopened and the rest continue in it.
 */
async function reopen(
  ctx: Ctx,
  pairs: readonly PartedPair[],
): Promise<{ reopened: number[]; goingOn: ReadonlySet<number> }> {
  const parting = pairs.filter(({ isLive, isFree }) => isLive && isFree)
  const reopened: number[] = []
  const goingOn = new Set<number>()
  const byAge = parting.toSorted((a, b) => a.ticketId - b.ticketId)
  const persons = Map.groupBy(byAge, ({ connectionId, person }) => `${connectionId} ${person}`)
  for (const [oldest, ...others] of persons.values()) {
    const { ticketId, intoId, before } = present(oldest)
    await writeTickets(ctx.db, [{ id: ticketId, fields: await still(ctx, pick(before, RESTORED)) }], byNobody(ctx))
    const logs = [ticketId, intoId].map(
      (id) => ({ ticketId: id, type: 'parted', userId: null, queueId: null }) as const,
    )
    await insertAllLogs(ctx.db, logs, ctx.now)
    reopened.push(ticketId)
    for (const other of others) {
      await goOnIn(ctx, other, ticketId)
      goingOn.add(other.ticketId)
    }
  }
  // Restores in reverse order of the merges.
  for (const pair of parting.toReversed()) if (!reopened.includes(pair.intoId)) await restoreOlder(ctx, pair)
  return { reopened, goingOn }
}

/** Continues a ticket in a reopened one of the same person, which takes its owner if it had none. */
async function goOnIn(ctx: Ctx, { ticketId, intoId, before }: PartedPair, id: number): Promise<void> {
  if (intoId === id) return
  const intoBefore = await fieldsOf(ctx, id)
  if (intoBefore.status === 'pending' && before.status === 'open')
    await writeTickets(ctx.db, [{ id, fields: await still(ctx, pick(before, TAKEN_OVER)) }], byNobody(ctx))
  await changePair(ctx.db, { ticketId, intoId: id, intoBefore, intoAfter: await fieldsOf(ctx, id) })
}

async function restoreOlder(ctx: Ctx, { intoId, intoBefore, intoAfter }: TicketPair): Promise<void> {
  const now = await fieldsOf(ctx, intoId)
  if (now.status === 'closed' || TAKEN_OVER.some((name) => now[name] !== intoAfter[name])) return
  if (TAKEN_OVER.every((name) => intoBefore[name] === intoAfter[name])) return
  const fields = await still(ctx, pick(intoBefore, TAKEN_OVER))
  await writeTickets(ctx.db, [{ id: intoId, fields }], byNobody(ctx))
}

const byNobody = ({ now }: Ctx) => ({ by: null, now })

const fieldsOf = async (ctx: Ctx, id: number): Promise<TicketFields> =>
  lookUp(await ticketImages(ctx.db, [id]), id).fields

const pick = (fields: TicketFields, names: readonly (keyof TicketFields)[]): TicketFields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))

// If the former owner has left, the ticket becomes pending.
async function still(ctx: Ctx, fields: TicketFields): Promise<TicketFields> {
  const asked = { userId: numberOrNull(fields.user_id), queueId: numberOrNull(fields.queue_id) }
  const { user, queue } = await whoIsThere(ctx.db, asked)
  const left = asked.userId !== null && user === null
  return {
    ...fields,
    user_id: user,
    queue_id: queue,
    ...(left && fields.status === 'open' ? { status: 'pending' } : {}),
  }
}
