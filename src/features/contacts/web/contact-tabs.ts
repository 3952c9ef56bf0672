import type { ComponentType } from 'react'
import type { Permission } from '#kit/permissions.ts'

/** Tab that another feature adds to a contact's page; not shown for groups. */
export type ContactTab = {
  readonly key: string
  readonly name: string
  readonly can: Permission
  readonly Part: ComponentType<{ contactId: number }>
}

/** Registered tabs, in order. */
export let contactTabs: readonly ContactTab[] = []

/** Registers the tabs (called in `web/features.tsx`). */
export function registerContactTabs(tabs: readonly ContactTab[]): void {
  contactTabs = tabs
}
