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

/** Batch size of number checks, and pause between batches in ms; mass checks would get the number blocked. */
const AT_ONCE = 20
const PAUSE_MS = 60_000
/** Time-out of a channel's response, and pause after one that is unavailable, in ms. */
const ANSWER_MS = 15_000
const AWAY_MS = 5 * 60_000
/** Failures after which the check stops. */
const MOST_FAILURES = 24
/** Maximum number of contacts published one by one. */
const MOST_PUBLISHED = 200
/** Time within which a number is not checked again, in ms. */
const FRESH_MS = 24 * 3_600_000

const schema = z.object({
  connectionId: z.number(),
  since: z.iso.datetime(),
  after: z.number(),
  failures: z.number(),
})
type Step = z.output<typeof schema>

/** Job that asks a channel which contacts it reaches, in batches; re-enqueues itself. */
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

// One job per tenant: a new check replaces the waiting one.
const enqueue = (ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, step: Step, runAt?: Date) =>
  ctx.enqueue(checkJob, step, { key: `contacts:check:${ctx.tenantId}`, ...(runAt ? { runAt } : {}) })

// Any of these events makes lists reload.
function publish(ctx: Ctx, ids: readonly number[]): void {
  for (const id of ids.slice(0, MOST_PUBLISHED))
    ctx.emit(contactEvents.update, { id }, { kind: 'permission', permission: 'contacts:read' })
}

/** Returns the connection to ask: the requested one, else the first connected one that supports number checks. */
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

/** Channel address of a checked number. */
export type Reached = { readonly channel: string; readonly identity: string; readonly number: string }

/**
 * Asks a channel whether it reaches an entered number, if the company has this enabled. Throws 422 ERR_WAPP_INVALID_CONTACT
 * at the field if not, 422 ERR_WAPP_CHECK_CONTACT without an answer. Null if none was asked: the number is unchanged, or no
 * connection supports it.
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

/** Stores that a channel reaches a contact's number, and the address there. */
export async function noteReached(ctx: Ctx, id: number, { channel, identity, number }: Reached): Promise<void> {
  await writeChecked(ctx.db, [{ id, number, isReached: true }], ctx.now)
  await putAddress(ctx.db, { contactId: id, channel, address: identity, proof: 'provider', now: ctx.now })
}

/** Route handlers that check numbers and pictures of all contacts. */
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
