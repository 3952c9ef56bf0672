import type { ComponentType } from 'react'
import type { Permission } from '#kit/permissions.ts'

/** A tab of a contact's page that another feature adds; groups have none of them. */
export type ContactTab = {
  readonly key: string
  readonly name: string
  readonly can: Permission
  readonly Part: ComponentType<{ contactId: number }>
}

/** The registered tabs, in their order. */
export let contactTabs: readonly ContactTab[] = []

/** Sets the tabs (`web/features.tsx`). */
export function registerContactTabs(tabs: readonly ContactTab[]): void {
  contactTabs = tabs
}
