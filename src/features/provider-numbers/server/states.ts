import { z } from 'zod'
import { changesOf, isFall, type NumberStateChange } from '#domain/connections/number-state.ts'
import { connectionEvents } from '#features/connections/connection-events.ts'
import { mailAdmins, type NumberKeeper, takeFailure } from '#features/connections/server/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import type { NumberNews, ProviderNumber } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { startLooking } from '#server/looking.ts'
import type { Platform } from '#server/platform.ts'
import { providerNumberEvents } from '../contract.ts'
import { noticeOf } from './notices.ts'
import { connectionsOf, findNumber, findOldStates, noteChanges, saveState } from './queries.ts'

/** Reads a number's state from its provider and stores changes; throws as its adapter does. */
export async function readState(platform: Platform, tenantId: number, connectionId: number): Promise<void> {
  const state = await (await adapterOf(platform, tenantId, connectionId)).numbers?.state()
  if (!state) return
  await unit(platform, { tenantId, user: null }, (ctx) => takeState(ctx, connectionId, state))
}

/** Stores a number's state and its changes. */
export async function takeState(ctx: Ctx, connectionId: number, state: ProviderNumber): Promise<void> {
  const before = await saveState(ctx.db, connectionId, state, ctx.now)
  await note(ctx, connectionId, changesOf(before, state), ctx.now)
  ctx.emit(...changed(connectionId))
}

const ADMINS = { kind: 'permission', permission: 'connections:write' } as const
const UNPAID = { what: 'payment', before: null, after: '' } as const
const changed = (whatsappId: number) => [providerNumberEvents.changed, { whatsappId }, ADMINS] as const

/** Stores changes, and notifies administrators of declines, on screen and by mail. */
async function note(ctx: Ctx, connectionId: number, changes: readonly NumberStateChange[], at: Date): Promise<boolean> {
  const fresh = await noteChanges(ctx.db, connectionId, changes, at)
  const { name } = (await findNumber(ctx.db, connectionId)) ?? { name: '' }
  for (const notice of fresh.filter(isFall).map((change) => noticeOf(name, change))) {
    ctx.emit(connectionEvents.told, { id: connectionId, ...notice }, ADMINS)
    const action = { label: 'Ver os canais', path: '/sessoes' }
    await mailAdmins(ctx, { title: notice.title, sentences: [notice.text], action })
  }
  return fresh.length > 0
}

/** Job that reads a number's state: after its connection, after news from its provider, and once a day. */
export const stateJob = job({
  name: 'number-state',
  schema: z.object({ connectionId: z.number().int() }),
  async run(platform, { tenantId, connectionId }) {
    const complaint = 'how a number stands could not be read'
    await readState(platform, tenantId, connectionId).catch((error: unknown) =>
      takeFailure(platform, { tenantId, connectionId }, { error, complaint }),
    )
  },
})

const DAY_MS = 86_400_000
const LOOK_MS = 3_600_000

/** Enqueues the reading of numbers not read for a day, since a provider does not report everything. */
export async function readOld(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - DAY_MS)
  const old = await platform.db.asPlatform((db) => findOldStates(db, before))
  for (const { tenantId, connectionId } of old)
    await unit(platform, { tenantId, user: null }, async (ctx) => readAnew(ctx, connectionId))
}

/** Starts the hourly search for such numbers; returns a function that stops it. */
export const startReading = (platform: Platform) =>
  startLooking(platform, { work: readOld, everyMs: LOOK_MS, complaint: 'numbers could not be looked for' })

const readAnew = (ctx: Ctx, connectionId: number): void =>
  ctx.enqueue(stateJob, { connectionId }, { key: `number ${connectionId}` })

/** Handlers of connections' news about numbers. */
export const keeper: NumberKeeper = {
  connected: readAnew,
  unpaid: (platform, tenantId, connectionId) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      if (await note(ctx, connectionId, [UNPAID], ctx.now)) ctx.emit(...changed(connectionId))
    }),
  async news(platform, owner, all) {
    let unclaimed = 0
    for (const news of all) {
      const found = await platform.db.asPlatform((db) => connectionsOf(db, { ...news, owner }))
      if (found.length === 0) unclaimed++
      for (const { tenantId, connectionId } of found)
        await unit(platform, { tenantId, user: null }, (ctx) => take(ctx, connectionId, news))
    }
    return unclaimed
  },
}

async function take(ctx: Ctx, connectionId: number, { what, detail, at }: NumberNews): Promise<void> {
  if (what === 'changed') return readAnew(ctx, connectionId)
  const isNew = await note(ctx, connectionId, [{ what, before: null, after: detail }], new Date(at))
  if (!isNew) return
  ctx.emit(...changed(connectionId))
  if (what === 'restriction') readAnew(ctx, connectionId)
}
