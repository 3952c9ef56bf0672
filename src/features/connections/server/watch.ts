import { causeTexts } from '#domain/connections/cause-texts.ts'
import { channelType, persistentTypes } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { connectionEvents } from '../connection-events.ts'
import { changeAbandoned } from './link.ts'
import { mailAdmins } from './mail-admins.ts'
import { findAbandoned } from './queries-leases.ts'
import { claimNotices, findLongOutages, type LongOutage } from './queries-outages.ts'

/** Interval of checking for abandoned connections and long outages, in ms. */
const LOOK_MS = 2000
/** Outage after which administrators are notified, and mailed, in ms. */
const NOTICE_MS = 60_000
const MAIL_MS = 600_000

/**
 * Corrects the status of connections without a holder, and reports long outages: a notice after a minute, a mail after
 * ten. Safe in several processes; each is reported once.
 */
export function startWatch(platform: Platform): () => Promise<void> {
  const types = persistentTypes()
  let turn: Promise<void> | null = null
  const look = () => {
    turn ??= watchOnce(platform, types)
      .catch((err) => platform.log.warn({ err }, 'connections could not be watched'))
      .finally(() => {
        turn = null
      })
  }
  const timer = setInterval(look, LOOK_MS)
  return async () => {
    clearInterval(timer)
    await turn
  }
}

/** Checks once for abandoned connections and long outages. */
export async function watchOnce(platform: Platform, types: readonly string[]): Promise<void> {
  for (const lease of await platform.db.asPlatform((db) => findAbandoned(db, types)))
    await changeAbandoned(platform, lease)
  const now = platform.now().getTime()
  const since = { notice: new Date(now - NOTICE_MS), mail: new Date(now - MAIL_MS) }
  for (const tenantId of await platform.db.asPlatform((db) => findLongOutages(db, since)))
    await unit(platform, { tenantId, user: null }, (ctx) => publishOutages(ctx, since))
}

async function publishOutages(ctx: Ctx, since: { notice: Date; mail: Date }): Promise<void> {
  for (const { id, name, cause, beganAt } of await claimNotices(ctx.db, 'noticed_at', since.notice, ctx.now))
    ctx.emit(
      connectionEvents.outage,
      { id, name, cause: cause, since: beganAt.getTime() },
      { kind: 'permission', permission: 'connections:write' },
    )
  for (const outage of await claimNotices(ctx.db, 'mailed_at', since.mail, ctx.now)) await mail(ctx, outage)
}

/**
 * Returns what an outage stops: with a refused token only sending, if the provider calls us; a mailbox also receives
 * nothing.
 */
export function whatStops(cause: string, type: string): 'nada sai' | 'nada entra nem sai' {
  const { webhook, app, settings } = channelType(type)?.config ?? {}
  const comesByWebhook = Boolean(webhook ?? app ?? settings?.webhook)
  return cause === 'token' && comesByWebhook ? 'nada sai' : 'nada entra nem sai'
}

async function mail(ctx: Ctx, { name, type, cause }: LongOutage): Promise<void> {
  const { text, advice } = causeTexts[cause]
  const since = `Há mais de dez minutos ${whatStops(cause, type)} por “${name}”. ${text}.`
  await mailAdmins(ctx, {
    title: `O canal “${name}” está sem conexão`,
    sentences: [since, advice],
    action: { label: 'Ver os canais', path: '/sessoes' },
  })
}
