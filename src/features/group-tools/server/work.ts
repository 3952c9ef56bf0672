import { z } from 'zod'
import { nextDelay } from '#domain/campaigns/pacing.ts'
import { isOfMembers, summaryOf } from '#domain/groups/tools.ts'
import { outreachFor } from '#features/campaigns/server/index.ts'
import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import { type GroupChange, isSendFailure, sendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { type JobRun, job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { groupToolEvents } from '../contract.ts'
import { askGroups } from './ask.ts'
import { AUDIENCE, enqueueLook } from './look.ts'
import { jpegOf } from './picture.ts'
import { findConnection } from './queries.ts'
import {
  connectionsAtWork,
  finishIfDone,
  lockLane,
  moveLane,
  type NextItem,
  nextItem,
  updateItem,
  updateJob,
} from './queries-jobs.ts'

/** Mean interval in seconds between two group changes of a number that may be banned for haste; varied at random. */
const PACED_SECONDS = 8
/** Retry delays in ms: while the connection is away, and after WhatsApp's rate limit. */
const AWAY_MS = 15_000
const HASTE_MS = 300_000
/** Priority of group changes, below people's messages. */
const PRIORITY = 10
const LOST = 'A resposta do canal se perdeu: confira no WhatsApp se foi feito.'

/** Job that performs one step of a connection's group jobs. */
export const workJob = job({
  name: 'group-tools:work',
  schema: z.object({ connectionId: z.number() }),
  run: (platform, { tenantId, connectionId }, run) => work(platform, { tenantId, connectionId }, run),
})

/** Enqueues a connection's group work, now or at a moment (epoch ms). */
export function enqueueWork(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, connectionId: number, at?: number): void {
  const key = `group-work:${ctx.tenantId}:${connectionId}`
  const when = at === undefined ? {} : { runAt: new Date(at) }
  ctx.enqueue(workJob, { connectionId }, { key, queue: key, priority: PRIORITY, ...when })
}

/** Enqueues the work of jobs that have been idle for some time, regardless of their queue. */
export async function recoverWork(platform: Platform, idleMs: number): Promise<void> {
  const before = new Date(platform.now().getTime() - idleMs)
  for (const { tenantId, connectionId } of await platform.db.asPlatform((db) => connectionsAtWork(db, before)))
    await unit(platform, { tenantId, user: null }, async (ctx) => enqueueWork(ctx, connectionId))
}

type Of = { readonly tenantId: number; readonly connectionId: number }

/**
 * Changes the next group: claims it in a transaction, calls the channel outside, stores the result in another transaction. A
 * change of a dead process is repeated, since it is idempotent; the creation of a group is not repeated, and a user decides.
 */
async function work(platform: Platform, of: Of, run: JobRun): Promise<void> {
  const { tenantId, connectionId } = of
  const base = { tenantId, user: null }
  const claimed = await unit(platform, base, (ctx) => claim(ctx, connectionId))
  if (!claimed) return
  await platform.checkpoint('group claimed')
  run.requireOwnership()
  const outcome = await carryOut(platform, of, claimed).catch((error: unknown): Outcome => {
    if (!isSendFailure(error)) throw error
    const { kind, message, isHaste = false } = error
    if (kind === 'refused') return { state: 'failed', reason: message }
    // Requests that were not sent are retried; a group's creation may have happened, so it is not.
    if (kind === 'unreachable' && (claimed.kind !== 'create' || isHaste)) return { waits: message, isHaste }
    return { state: 'uncertain', reason: LOST }
  })
  await platform.checkpoint('group changed')
  await unit(platform, base, (ctx) => note(ctx, connectionId, claimed, outcome))
}

type Outcome =
  | { readonly waits: string; readonly isHaste: boolean }
  | {
      readonly state: 'done' | 'partial' | 'failed' | 'uncertain'
      readonly reason: string
      readonly key?: string
      readonly outcomes?: Parameters<typeof updateItem>[2]['outcomes']
    }

/** Claims the next group to change now; null if the connection's turn is later, or no group waits. */
async function claim(ctx: Ctx, connectionId: number): Promise<NextItem | null> {
  const now = ctx.now.getTime()
  const actedAt = await lockLane(ctx.db, connectionId)
  for (;;) {
    const item = await nextItem(ctx.db, connectionId)
    if (!item) return null
    const { jobId } = item
    const connection = await findConnection(ctx.db, connectionId)
    if (!connection || !capabilitiesOf(connection.type).groupTools) {
      await stop(ctx, jobId, 'O canal não existe mais.')
      continue
    }
    if (item.state === 'doing' && item.kind === 'create') {
      await updateItem(ctx.db, item.id, { state: 'uncertain', reason: LOST, done_at: ctx.now })
      await finishIfDone(ctx.db, jobId, ctx.now)
      publish(ctx)
      continue
    }
    const isPaced = channelType(connection.type)?.config.isPaced === true
    const due = isPaced && actedAt ? actedAt.getTime() + nextDelay(PACED_SECONDS, Math.random()) : now
    const from = Math.max(due, item.waitsUntil?.getTime() ?? 0)
    if (from > now) {
      enqueueWork(ctx, connectionId, from)
      return null
    }
    if (connection.status !== 'CONNECTED') {
      await wait(ctx, connectionId, jobId, { reason: 'O canal não está conectado.', until: now + AWAY_MS })
      return null
    }
    const care = await outreachFor(ctx, connectionId)
    if (care.level === 'stop') {
      await stop(ctx, jobId, care.reasons.join(' '))
      continue
    }
    await updateItem(ctx.db, item.id, { state: 'doing' })
    await updateJob(ctx.db, jobId, { reason: '', waits_until: null })
    await moveLane(ctx.db, connectionId, ctx.now)
    return item
  }
}

const publish = (ctx: Ctx): void => ctx.emit(groupToolEvents.changed, { what: 'jobs' }, AUDIENCE)

/** Pauses a job with a reason for its users. */
async function stop(ctx: Ctx, jobId: number, reason: string): Promise<void> {
  await updateJob(ctx.db, jobId, { status: 'paused', reason })
  publish(ctx)
}

/** Defers a job. */
async function wait(
  ctx: Ctx,
  connectionId: number,
  jobId: number,
  { reason, until }: { readonly reason: string; readonly until: number },
): Promise<void> {
  await updateJob(ctx.db, jobId, { reason, waits_until: new Date(until) })
  enqueueWork(ctx, connectionId, until)
  publish(ctx)
}

/** Changes or creates a group. */
async function carryOut(platform: Platform, of: Of, item: NextItem): Promise<Outcome> {
  const { kind, key, params } = item
  const { text = '', isOn = false, numbers = [] } = params
  if (kind === 'create') {
    const made = await askGroups(platform, 'createGroup', { ...of, name: item.name, numbers })
    return { state: 'done', reason: '', key: made.key }
  }
  const changeBy = async (): Promise<GroupChange> => {
    if (kind === 'title') return { type: 'title', title: text }
    if (kind === 'description') return { type: 'description', description: text }
    if (kind === 'admins_only') return { type: 'adminsOnly', isOn }
    if (isOfMembers(kind)) return { type: 'members', change: kind, whom: numbers }
    const jpeg = item.filePath ? await jpegOf(platform, item.filePath) : null
    if (!jpeg) throw sendFailure('refused', 'A imagem não pôde ser lida.')
    return { type: 'picture', jpeg }
  }
  const outcomes = await askGroups(platform, 'changeGroup', { ...of, key, change: await changeBy() })
  return isOfMembers(kind) ? { ...summaryOf(kind, outcomes), outcomes } : { state: 'done', reason: '' }
}

/** Stores the result of a group, and enqueues the next one. */
async function note(ctx: Ctx, connectionId: number, item: NextItem, outcome: Outcome): Promise<void> {
  if ('waits' in outcome) {
    await updateItem(ctx.db, item.id, { state: 'waiting' })
    const until = ctx.now.getTime() + (outcome.isHaste ? HASTE_MS : AWAY_MS)
    return wait(ctx, connectionId, item.jobId, { reason: outcome.waits, until })
  }
  await updateItem(ctx.db, item.id, { ...outcome, done_at: ctx.now })
  const key = outcome.key ?? item.key
  if (key !== '' && outcome.state !== 'failed') enqueueLook(ctx, connectionId, key)
  await finishIfDone(ctx.db, item.jobId, ctx.now)
  publish(ctx)
  enqueueWork(ctx, connectionId)
}
