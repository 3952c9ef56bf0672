import { toolsOf } from '#features/connections/server/index.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { channelType } from '#providers/channels/configs.ts'
import type { ProviderFault } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import { readFaults } from './faults.ts'
import type { PhoneRow } from './rows.ts'

/** Returns the known faults of a channel's provider, from the channel's adapter. */
export function faultsOfProvider(platform: Platform, type: string): readonly ProviderFault[] {
  const config = channelType(type)?.config
  return (config && channelAdapters[config.id]?.({}, toolsOf(platform, type)).faults) ?? []
}

/** Returns the provider fault armed on a phone. */
export function armedFault(platform: Platform, { type, faults }: PhoneRow): ProviderFault | undefined {
  const { provider } = readFaults(faults)
  return provider === '' ? undefined : faultsOfProvider(platform, type).find(({ id }) => id === provider)
}
