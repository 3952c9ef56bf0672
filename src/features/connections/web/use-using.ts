import { channelTypes, settingsIdOf } from '#providers/channels/configs.ts'
import { useChoices } from '#web/choices.ts'
import type { ConnectionRow } from '../contract.ts'

/** Returns the channels that use a provider's settings. */
export function useUsing(id: string): readonly ConnectionRow[] {
  const types = channelTypes().flatMap(({ type, config }) => (settingsIdOf(config) === id ? [type] : []))
  return useChoices('connections').filter(({ type }) => types.includes(type))
}
