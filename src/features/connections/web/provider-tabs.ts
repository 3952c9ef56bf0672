import type { ComponentType, ReactNode } from 'react'
import type { Permission } from '#kit/permissions.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'

/** What the screen of a provider shows at one of its tabs; it draws the page, with `tabs` below the head. */
export type ProviderPart = ComponentType<{ config: ProviderOf; tabs: ReactNode }>

/** A channel whose provider has a screen. */
export type ProviderOf = ChannelConfig & Required<Pick<ChannelConfig, 'settings'>>

/** A tab beside the settings of a provider, for channels that have what stands there. */
export type ProviderTab = {
  /** Its name in the address. */
  readonly key: string
  readonly name: string
  /** What it is called at one provider, where that is its own name. */
  readonly nameOf?: (config: ProviderOf) => string | undefined
  /** The name in the address with which a provider leads back to it. */
  readonly isBackWith?: string
  readonly can: Permission
  readonly isOf: (config: ProviderOf) => boolean
  readonly load: () => Promise<ProviderPart>
}

/** Loads such a tab with the screen on which it stands. */
export type LoadProviderTab = () => Promise<ProviderTab>

/** What stands beside the settings of providers, whatever provider it is of. */
export let providerTabs: readonly LoadProviderTab[] = []

/** Says what stands beside the settings of providers (`web/features.tsx`). */
export function registerProviderTabs(tabs: readonly LoadProviderTab[]): void {
  providerTabs = tabs
}
