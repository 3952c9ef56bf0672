import { fail } from '#kit/errors.ts'
import { type SettingKey, type SettingSpec, settingsRegistry } from '#kit/settings.ts'
import type { Ctx } from '#server/context.ts'
import { settingsEvents } from '../contract.ts'
import { lockSettings, storeSettings } from './queries.ts'

const specOf = (key: SettingKey): SettingSpec => settingsRegistry[key]

/**
 * Stores validated settings, invalidates caches and publishes the change. A switch that conflicts with another active one is
 * refused, naming the other.
 */
export async function saveSettings(ctx: Ctx, values: Partial<Record<SettingKey, string>>): Promise<void> {
  const stored = await lockSettings(ctx.db)
  const keys = Object.keys(values) as SettingKey[]
  const now = (key: string) => values[key as SettingKey] ?? stored.get(key) ?? specOf(key as SettingKey).default
  for (const key of keys) {
    const other = values[key] === 'enabled' && specOf(key).conflicts?.find((name) => now(name) === 'enabled')
    if (other) fail('ERR_SETTING_CONFLICT', { key: other, label: specOf(other as SettingKey).label })
  }
  const before = Object.fromEntries(keys.map((key) => [key, stored.get(key) ?? specOf(key).default]))
  const changed = keys.filter((key) => before[key] !== values[key])
  ctx.audit({ before, after: values })
  if (changed.length === 0) return
  await storeSettings(ctx.db, ctx.tenantId, values)
  ctx.stale(`settings ${ctx.tenantId}`)
  ctx.emit(settingsEvents.changed, { keys: changed }, { kind: 'tenant' })
}
