import { channelTypes, settingsIdOf } from '#providers/channels/configs.ts'
import { useChoices } from '#web/choices.ts'
import type { ConnectionRow } from '../contract.ts'

/** The channels that go by what is set of a provider. */
export function useUsing(id: string): readonly ConnectionRow[] {
  const types = channelTypes().flatMap(({ type, config }) => (settingsIdOf(config) === id ? [type] : []))
  return useChoices('connections').filter(({ type }) => types.includes(type))
}
