import { SETTING_EVENTS } from '#domain/webhook-endpoints/types.ts'
import { isOn, type SettingKey } from '#kit/settings.ts'
import type { Ctx } from '#server/context.ts'
import { beginCursor, endpointRows, findOfSettings, readLastSeq } from './queries-endpoints.ts'
import { endpointEncryption } from './secrets.ts'
import { newSecret } from './signature.ts'

const NAME = 'Webhook das configurações'

/** Synchronizes the endpoint defined by the legacy settings: created, changed, enabled or disabled. */
export async function matchSettings(ctx: Ctx): Promise<void> {
  const { db, settings, now } = ctx
  const url = settings.values.webhookUrl
  const events = Object.entries(SETTING_EVENTS).flatMap(([key, types]) =>
    isOn(settings, key as SettingKey) ? types : [],
  )
  const isActive = isOn(settings, 'webhook') && url !== '' && events.length > 0
  const stored = await findOfSettings(db)
  if (!stored) {
    if (!isActive) return
    await beginCursor(db)
    const secret = endpointEncryption(ctx.platform, ctx.tenantId).encrypt(newSecret())
    const more = { of_settings: true, events, secret, after_seq: await readLastSeq(db) }
    await endpointRows.insert(db, { name: NAME, url, isActive }, now, more)
    return
  }
  const isSame =
    stored.url === (url || stored.url) &&
    (!isActive || stored.events.join() === events.join()) &&
    stored.isActive === isActive
  // An automatically disabled endpoint stays disabled until the settings change.
  if (isSame || (stored.offReason !== null && stored.url === url && isActive)) return
  const more = {
    ...(events.length > 0 ? { events } : {}),
    ...(isActive && !stored.isActive ? { after_seq: await readLastSeq(db), off_reason: null, off_at: null } : {}),
  }
  await endpointRows.update(db, stored.id, { url: url || stored.url, isActive }, now, more)
}
