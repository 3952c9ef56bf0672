import { z } from 'zod'
import { contactChecks } from '#features/connections/contact-checks-contract.ts'
import { contactEvents } from '#features/ledger/contact-events.ts'
import { adapterOf, answerWithin } from '#features/ledger/server/ports/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { picturesForgotten } from './pictures.ts'
import {
  countUnchecked,
  findChannels,
  findNumber,
  nextUnchecked,
  removePictures,
  writeChecked,
} from './queries-checks.ts'
import { putAddress } from './queries-identities.ts'
import { spellings } from './save.ts'

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
        const known = await answerWithin(ANSWER_MS, adapter.ask('number', { tenantId, connectionId, number }))
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

/** How a channel that was asked knows a number. */
export type Reached = { readonly channel: string; readonly identity: string; readonly number: string }

/**
 * Where the company has numbers checked, asks a channel whether it reaches the number that somebody writes: 422
 * ERR_WAPP_INVALID_CONTACT at the field where it does not, 422 ERR_WAPP_CHECK_CONTACT where it does not say. Null: nobody
 * was asked, because the number stays, or no connection can say it.
 */
export async function requireReachable(
  { platform, tenantId }: SlowCtx,
  { id, number: written }: { readonly id?: number; readonly number?: string | undefined },
): Promise<Reached | null> {
  const settings = await platform.settings.get(String(tenantId))
  if (!written || !isOn(settings, 'validateContact')) return null
  const numbers = await spellings(written)
  if (!numbers) return null
  const [able, stored] = await platform.db.read(tenantId, async (db) => [
    (await findChannels(db)).filter(({ type }) => capabilitiesOf(type).numberCheck),
    id === undefined ? null : await findNumber(db, id),
  ])
  if (able.length === 0 || (stored && numbers.includes(stored))) return null
  const channel = required(
    able.find(({ status }) => status === 'CONNECTED'),
    'ERR_WAPP_CHECK_CONTACT',
  )
  const adapter = await adapterOf(platform, tenantId, channel.id)
  if (!adapter.ask) return fail('ERR_WAPP_CHECK_CONTACT')
  const asked = adapter.ask('number', { tenantId, connectionId: channel.id, number: numbers[0] })
  const found = await answerWithin(ANSWER_MS, asked).catch((err: unknown) => {
    platform.log.warn({ err, tenantId, connectionId: channel.id }, 'a channel did not say whether it reaches a number')
    return fail('ERR_WAPP_CHECK_CONTACT')
  })
  if (!found)
    return fail('ERR_WAPP_INVALID_CONTACT', { number: 'Nenhum canal alcança este número. Confira o DDD e os dígitos.' })
  return { channel: channel.type, identity: found.identity, number: numbers[0] }
}

/** Keeps what a channel said of a contact's number: that it is reached, and by which address. */
export async function noteReached(ctx: Ctx, id: number, { channel, identity, number }: Reached): Promise<void> {
  await writeChecked(ctx.db, [{ id, number, isReached: true }], ctx.now)
  await putAddress(ctx.db, { contactId: id, channel, address: identity, proof: 'provider', now: ctx.now })
}

/** What is mended of all contacts. */
export const checkRoutes = implement(contactChecks, {
  checkAll: (ctx, { body }) => checkAll(ctx, body),
  removePictures: async (ctx, { params }) => {
    const { type } = required((await findChannels(ctx.db, params.id))[0], 'ERR_NO_WAPP_FOUND')
    const ids = await removePictures(ctx.db, params.id, ctx.now)
    if (capabilitiesOf(type).picture) await picturesForgotten(ctx, type, ids)
    publish(ctx, ids)
    return { message: 'ok' as const, removed: ids.length }
  },
})
