import { z } from 'zod'
import { changesOf, isFall, type NumberStateChange } from '#domain/connections/number-state.ts'
import { connectionEvents } from '#features/connections/connection-events.ts'
import { findAdmins, type Keeper } from '#features/connections/server/index.ts'
import { adapterOf } from '#features/conversations/server/index.ts'
import { publicLink, sendMail } from '#features/mail/server/index.ts'
import { AppError } from '#kit/errors.ts'
import { isSendFailure, type NumberNews } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { providerNumberEvents } from '../contract.ts'
import { noticeOf } from './notices.ts'
import { connectionsOf, findNumber, noteChanges, saveState } from './queries.ts'

/** Asks a provider how a number stands, and notes what changed; fails as its adapter does. */
export async function readState(platform: Platform, tenantId: number, connectionId: number): Promise<void> {
  const state = await (await adapterOf(platform, tenantId, connectionId)).numbers?.state()
  if (!state) return
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    const before = await saveState(ctx.db, connectionId, state, ctx.now)
    await note(ctx, connectionId, changesOf(before, state), ctx.now)
    ctx.emit(providerNumberEvents.changed, { whatsappId: connectionId }, ADMINS)
  })
}

const ADMINS = { kind: 'permission', permission: 'connections:write' } as const

/** Notes changes, and tells administrators of what fell: at once, and by mail. */
async function note(ctx: Ctx, connectionId: number, changes: readonly NumberStateChange[], at: Date): Promise<boolean> {
  const fresh = await noteChanges(ctx.db, connectionId, changes, at)
  const { name } = (await findNumber(ctx.db, connectionId)) ?? { name: '' }
  for (const notice of fresh.filter(isFall).map((change) => noticeOf(name, change))) {
    ctx.emit(connectionEvents.told, { id: connectionId, ...notice }, ADMINS)
    for (const { email } of await findAdmins(ctx.db)) await mail(ctx, email, notice)
  }
  return fresh.length > 0
}

// Without a mail server there is the notice, and the screen.
async function mail(ctx: Ctx, to: string, { title, text }: { title: string; text: string }): Promise<void> {
  const action = { label: 'Ver os canais', url: publicLink(ctx.platform, '/sessoes') }
  try {
    await sendMail(ctx, { to, subject: title, template: { title, lines: [text], action } })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ERR_MAIL_NOT_CONFIGURED')) throw error
  }
}

/** Reads how a number stands, when it was connected and when its provider says that something changed. */
export const stateJob = job({
  name: 'number-state',
  schema: z.object({ connectionId: z.number().int() }),
  async run(platform, { tenantId, connectionId }) {
    await readState(platform, tenantId, connectionId).catch((error: unknown) => {
      if (!isSendFailure(error) || error.kind !== 'refused') throw error
      platform.log.warn({ err: error, tenantId, connectionId }, 'how a number stands could not be read')
    })
  },
})

const readAnew = (ctx: Ctx, connectionId: number): void =>
  ctx.enqueue(stateJob, { connectionId }, { key: `number ${connectionId}` })

/** What connections tell of numbers. */
export const keeper: Keeper<NumberNews> = {
  connected: readAnew,
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
  ctx.emit(providerNumberEvents.changed, { whatsappId: connectionId }, ADMINS)
  if (what === 'restriction') readAnew(ctx, connectionId)
}
