import { fail } from '#kit/errors.ts'
import type { ChannelAdapter, ChannelCapabilities } from './port.ts'

export { createLabAdapter, type LabDelivery, type LabLine } from './lab/adapter.ts'
export { webchatAdapter } from './webchat/adapter.ts'

const known = new WeakMap<object, Map<string, ChannelAdapter>>()

/** Makes a kind of channel available on this platform. */
export function addChannel(platform: object, adapter: ChannelAdapter): void {
  const adapters = known.get(platform) ?? new Map<string, ChannelAdapter>()
  known.set(platform, adapters.set(adapter.kind, adapter))
}

/** The adapter of a kind of channel; a kind that this version does not have is a rule of the channel (422). */
export const channelOf = (platform: object, kind: string): ChannelAdapter =>
  known.get(platform)?.get(kind) ?? fail('ERR_WAPP_NOT_INITIALIZED')

const nothing: ChannelCapabilities = {
  media: false,
  quote: false,
  presence: false,
  maxTextLength: 0,
  maxFileBytes: 0,
  windowHours: null,
}

/** What a kind of channel can do; an unknown kind can do nothing. */
export const capabilitiesOf = (platform: object, kind: string): ChannelCapabilities =>
  known.get(platform)?.get(kind)?.capabilities ?? nothing
