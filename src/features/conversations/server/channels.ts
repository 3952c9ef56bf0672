import { fail } from '#kit/errors.ts'
import type { ChannelAdapter } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'

type AdapterOf = (platform: Platform, tenantId: number, connectionId: number) => Promise<ChannelAdapter>

let find: AdapterOf = async () => fail('ERR_WAPP_NOT_INITIALIZED')

/** Registers who knows how a connection is spoken to. */
export const provideAdapters = (adapterOf: AdapterOf): void => {
  find = adapterOf
}

/** How a connection is spoken to; never asked within a unit of work. Fails with 422 where nobody knows. */
export const adapterOf: AdapterOf = (platform, tenantId, connectionId) => find(platform, tenantId, connectionId)
