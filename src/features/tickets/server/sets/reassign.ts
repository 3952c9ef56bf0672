import { insertLogs } from '#features/ledger/server/changes/index.ts'
import { loadTicketRows } from '#features/ledger/server/rows/index.ts'
import {
  activeOfConnection,
  activeOfQueue,
  activeOfUser,
  moveQueueOf,
  releaseTickets,
} from '#features/ledger/server/sets/index.ts'
import { announce, lockTicket } from '#features/visibility/server/index.ts'
import { isOn } from '#kit/settings.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { closeUnattended } from '../change/change.ts'

/** Removes a user from their active tickets; open ones become pending (decision B26). Returns their number. */
export async function releaseTicketsOf(ctx: Ctx, userId: number): Promise<number> {
  const { ownerId } = ctx.settings
  const heir = isOn(ctx.settings, 'forceAdmin') && ownerId !== userId ? ownerId : null
  return announced(
    ctx,
    await activeOfUser(ctx.db, userId),
    (ids) => releaseTickets(ctx.db, ids, heir, changing(ctx)),
    'pending',
  )
}

/** Moves all tickets of a queue to another, closed ones too. Returns the number of active ones. */
export async function moveTicketsOfQueue(ctx: Ctx, from: number, to: number): Promise<number> {
  return announced(
    ctx,
    await activeOfQueue(ctx.db, from),
    () => moveQueueOf(ctx.db, from, to, changing(ctx)),
    'transfered',
  )
}

const BATCH = 50

/** Closes open and pending tickets of a removed connection (decision B26); idempotent. */
export async function closeTicketsOfConnection(
  platform: Platform,
  tenantId: number,
  connectionId: number,
): Promise<void> {
  const closeSome = () =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const ids = await activeOfConnection(ctx.db, connectionId, BATCH)
      await closeUnattended(ctx, ids, 'removal')
      return ids.length
    })
  while ((await closeSome()) === BATCH);
}

const changing = ({ user, now }: Pick<Ctx, 'user' | 'now'>) => ({ by: user?.id ?? null, now })

// Publishes to users who see the tickets before or after, one by one; in order of ids, to avoid deadlocks.
async function announced(
  ctx: Ctx,
  ids: readonly number[],
  change: (ids: readonly number[]) => Promise<void>,
  type: 'pending' | 'transfered',
): Promise<number> {
  const before = []
  for (const id of ids) before.push(await lockTicket(ctx, id))
  await change(ids)
  const after = await loadTicketRows(ctx.db, ids, { platform: ctx.platform })
  for (const { row, facts } of before) {
    const now = after.get(row.id)
    if (!now) continue
    await insertLogs(ctx.db, row.id, [{ type, userId: ctx.user?.id ?? null, queueId: now.row.queueId }], ctx.now)
    announce(ctx, facts, now)
  }
  return ids.length
}
