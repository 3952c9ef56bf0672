import type { ComponentType, ReactNode } from 'react'
import type { Permission } from '#kit/permissions.ts'
import type { ChannelConfig } from '#providers/channels/configs.ts'

/** Component of one tab of a provider's screen; renders the page, with `tabs` below the head. */
export type ProviderPart = ComponentType<{ config: ProviderOf; tabs: ReactNode }>

/** Channel whose provider has a screen. */
export type ProviderOf = ChannelConfig & Required<Pick<ChannelConfig, 'settings'>>

/** Tab beside the settings of a provider, for the channels that `isOf` accepts. */
export type ProviderTab = {
  /** Name of the tab in the URL. */
  readonly key: string
  readonly name: string
  /** Name of the tab at a provider that has its own term. */
  readonly nameOf?: (config: ProviderOf) => string | undefined
  /** Name of the URL parameter with which a provider redirects back to the tab. */
  readonly isBackWith?: string
  readonly can: Permission
  readonly isOf: (config: ProviderOf) => boolean
  readonly load: () => Promise<ProviderPart>
}

/** Loads a tab of a provider's screen. */
export type LoadProviderTab = () => Promise<ProviderTab>

/** Registered tabs beside the settings of providers. */
export let providerTabs: readonly LoadProviderTab[] = []

/** Registers the tabs beside the settings of providers (`web/features.tsx`). */
export function registerProviderTabs(tabs: readonly LoadProviderTab[]): void {
  providerTabs = tabs
}
