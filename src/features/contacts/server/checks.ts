import { z } from 'zod'
import { contactChecks } from '#features/connections/contact-checks-contract.ts'
import { contactEvents } from '#features/conversations/contact-events.ts'
import { adapterOf, answerWithin } from '#features/conversations/server/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { countUnchecked, findChannels, nextUnchecked, removePictures, writeChecked } from './queries-checks.ts'

/** So many numbers are asked for at a time, and so much later the next: whoever asks for thousands at once is blocked. */
const AT_ONCE = 20
const PAUSE_MS = 60_000
/** So long a channel may take to answer, and so long it is left alone when it does not. */
const ANSWER_MS = 15_000
const AWAY_MS = 5 * 60_000
/** So often, before it is given up. */
const MOST_FAILURES = 24
/** So many contacts are published one by one. */
const MOST_PUBLISHED = 200
/** Who was asked for within this time is not asked for again. */
const FRESH_MS = 24 * 3_600_000

const schema = z.object({
  connectionId: z.number(),
  since: z.iso.datetime(),
  after: z.number(),
  failures: z.number(),
})
type Step = z.output<typeof schema>

/** Asks a channel which of some contacts it reaches, and comes again for the next ones. */
export const checkJob = job({
  name: 'contacts:check',
  schema,
  async run(platform, { tenantId, ...step }) {
    const { connectionId, since, after } = step
    const about = { since: new Date(since), after, most: AT_ONCE }
    const contacts = await platform.db.read(tenantId, (db) => nextUnchecked(db, about))
    if (contacts.length === 0) return
    const found: { id: number; number: string; isReached: boolean }[] = []
    const adapter = await adapterOf(platform, tenantId, connectionId)
    try {
      for (const { id, number } of contacts) {
        if (!adapter.ask) return
        const known = await answerWithin(ANSWER_MS, adapter.ask('number', { number }))
        found.push({ id, number, isReached: known !== null })
      }
    } catch (err) {
      platform.log.warn({ err, tenantId, connectionId }, 'a channel did not say which numbers it reaches')
    }
    const isAway = found.length < contacts.length
    const failures = isAway && found.length === 0 ? step.failures + 1 : 0
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      publish(ctx, await writeChecked(ctx.db, found, ctx.now))
      if (failures >= MOST_FAILURES) return
      const next = { ...step, failures, after: found.at(-1)?.id ?? after }
      enqueue(ctx, next, new Date(ctx.now.getTime() + (isAway ? AWAY_MS : PAUSE_MS)))
    })
  },
})

// One at a time for a company: whoever begins anew takes the place of what waits.
const enqueue = (ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, step: Step, runAt?: Date) =>
  ctx.enqueue(checkJob, step, { key: `contacts:check:${ctx.tenantId}`, ...(runAt ? { runAt } : {}) })

// Lists are read again for any of them.
function publish(ctx: Ctx, ids: readonly number[]): void {
  for (const id of ids.slice(0, MOST_PUBLISHED))
    ctx.emit(contactEvents.update, { id }, { kind: 'permission', permission: 'contacts:read' })
}

/** The connection that is asked: the one that was meant, else the first that is through and can say it. */
async function channelFor(platform: Platform, tenantId: number, wanted: number | undefined): Promise<number> {
  const all = await platform.db.read(tenantId, (db) => findChannels(db, wanted))
  if (wanted !== undefined && all.length === 0) fail('ERR_NO_WAPP_FOUND')
  const able = all.filter(({ type }) => capabilitiesOf(type).numberCheck)
  if (able.length === 0) fail('ERR_CHANNEL_CANNOT')
  const { id } = required(
    able.find(({ status }) => status === 'CONNECTED'),
    'ERR_WAPP_NOT_INITIALIZED',
  )
  return id
}

async function checkAll(
  { platform, tenantId, user }: SlowCtx,
  { whatsappId }: Input<typeof contactChecks.checkAll>['body'],
) {
  const connectionId = await channelFor(platform, tenantId, whatsappId)
  const total = await unit(platform, { tenantId, user }, async (ctx) => {
    const since = new Date(ctx.now.getTime() - FRESH_MS)
    enqueue(ctx, { connectionId, since: since.toISOString(), after: 0, failures: 0 })
    return countUnchecked(ctx.db, since)
  })
  return { message: 'ok' as const, total }
}

/** What is mended of all contacts. */
export const checkRoutes = implement(contactChecks, {
  checkAll: (ctx, { body }) => checkAll(ctx, body),
  removePictures: async (ctx, { params }) => {
    if ((await findChannels(ctx.db, params.id)).length === 0) fail('ERR_NO_WAPP_FOUND')
    const ids = await removePictures(ctx.db, params.id, ctx.now)
    publish(ctx, ids)
    return { message: 'ok' as const, removed: ids.length }
  },
})
