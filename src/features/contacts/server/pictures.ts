import { Readable } from 'node:stream'
import { z } from 'zod'
import { adapterOf, answerWithin } from '#features/ledger/server/ports/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isSendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import { job } from '#server/job.ts'
import { smallPicture } from '#server/media/small-picture.ts'
import type { Platform } from '#server/platform.ts'
import {
  addressesOn,
  claimPictures,
  type DuePicture,
  findName,
  findPicture,
  hasDuePictures,
  pictureKnown,
  picturesDue,
} from './queries-pictures.ts'
import { describeFromChannel } from './save.ts'

/**
 * Maximum number of pictures requested per channel and period, and that period in ms; mass requests would get the number
 * blocked.
 */
const MOST = 20
const PAUSE_MS = 60_000
/** Time-out of a picture request, and pause after an unavailable channel, in ms. */
const ANSWER_MS = 25_000
const AWAY_MS = 5 * 60_000
/** Failures after which the job stops until a new contact writes. */
const MOST_FAILURES = 24
/** Side of stored pictures in pixels: twice the displayed size, for dense screens. */
const SIDE = 256
const MOST_BYTES = 1024 * 1024

const schema = z.object({ channel: z.string(), failures: z.number() })
type Step = z.output<typeof schema>

/**
 * Job that requests new and changed contact pictures of a channel in batches; re-enqueues itself. Pictures claimed by a
 * killed run remain due and count towards the limit.
 */
export const pictureJob = job({
  name: 'contacts:pictures',
  schema,
  async run(platform, { tenantId, channel, failures }) {
    const base = { tenantId, user: null }
    const claimed = await unit(platform, base, async ({ db, now }) => {
      const since = new Date(now.getTime() - PAUSE_MS)
      return { now, all: await claimPictures(db, channel, { most: MOST, since, now }) }
    })
    let answered = 0
    let isAway = false
    for (const one of claimed.all) {
      const picture = await askFor(platform, tenantId, one)
      if (picture === 'away') {
        isAway = true
        break
      }
      const name = capabilitiesOf(channel).names ? await askName(platform, tenantId, one) : null
      await savePicture(platform, tenantId, { ...one, channel, picture, name, askedAt: claimed.now })
      answered++
    }
    await unit(platform, base, async (ctx) => {
      const next = { channel, failures: isAway && answered === 0 ? failures + 1 : 0 }
      if (next.failures >= MOST_FAILURES || !(await hasDuePictures(ctx.db, channel))) return
      enqueue(ctx, next, new Date(ctx.now.getTime() + (isAway ? AWAY_MS : PAUSE_MS)))
    })
  },
})

// Sequential per tenant and channel, so that the limit holds.
function enqueue(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, step: Step, runAt?: Date): void {
  const key = `contacts:pictures:${ctx.tenantId}:${step.channel}`
  ctx.enqueue(pictureJob, step, { key, queue: key, ...(runAt ? { runAt } : {}) })
}

// Asks channels that send no names with messages; null without an answer.
async function askName(
  platform: Platform,
  tenantId: number,
  { connectionId, identity }: DuePicture,
): Promise<string | null> {
  try {
    const adapter = await adapterOf(platform, tenantId, connectionId)
    return (await answerWithin(ANSWER_MS, adapter.ask!('name', { identity }))) ?? null
  } catch (err) {
    platform.log.warn({ err, tenantId, connectionId }, 'a channel did not say what a contact is called')
    return null
  }
}

type Picture = Buffer | null | 'unknown'

async function askFor(platform: Platform, tenantId: number, one: DuePicture): Promise<Picture | 'away'> {
  const { connectionId, identity } = one
  try {
    const adapter = await adapterOf(platform, tenantId, connectionId)
    if (!adapter.ask) return 'unknown'
    const given = await answerWithin(ANSWER_MS, adapter.ask('picture', { identity }))
    return given && ((await smallPicture(given, SIDE)) ?? 'unknown')
  } catch (err) {
    platform.log.warn({ err, tenantId, connectionId }, 'a channel did not say how a contact looks')
    return isSendFailure(err) && err.kind === 'unreachable' ? 'away' : 'unknown'
  }
}

type Asked = DuePicture & {
  readonly channel: string
  readonly picture: Picture
  readonly name: string | null
  readonly askedAt: Date
}

async function savePicture(platform: Platform, tenantId: number, asked: Asked): Promise<void> {
  const { contactId, channel, identity, picture, name, askedAt } = asked
  const options = { name: 'foto.webp', maxBytes: MOST_BYTES, now: platform.now() }
  const file = Buffer.isBuffer(picture)
    ? await platform.storage.save(tenantId, Readable.from([picture]), options)
    : null
  try {
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      await pictureKnown(ctx.db, channel, identity, askedAt)
      // A name set by a user stays.
      if (name && (await findName(ctx.db, contactId)) === identity) await describeFromChannel(ctx, contactId, { name })
      if (picture === 'unknown' || (!file && (await findPicture(ctx.db, contactId)) === null)) return
      await describeFromChannel(ctx, contactId, { fileId: file && (await storeUpload(ctx, file)) })
    })
  } finally {
    if (file) await platform.storage.discard([file])
  }
}

/** Enqueues picture requests for channels that support pictures. */
export function askForPictures(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, channels: readonly string[]): void {
  for (const channel of new Set(channels)) if (capabilitiesOf(channel).picture) enqueue(ctx, { channel, failures: 0 })
}

/** Marks addresses as having a new picture and enqueues the requests. */
export async function pictureChanged(
  ctx: Ctx,
  addresses: readonly { readonly channel: string; readonly identity: string }[],
): Promise<void> {
  await picturesDue(ctx.db, addresses, ctx.now)
  askForPictures(
    ctx,
    addresses.map(({ channel }) => channel),
  )
}

/** Requests pictures of contacts on a channel again after they were deleted. */
export const picturesForgotten = async (ctx: Ctx, channel: string, contactIds: readonly number[]): Promise<void> =>
  pictureChanged(ctx, await addressesOn(ctx.db, channel, contactIds))
