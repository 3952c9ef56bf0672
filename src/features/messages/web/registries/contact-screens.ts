import type { ComponentType } from 'react'

/** Audience of contacts: a query of their list. */
export type AudienceFilter = Readonly<Record<string, unknown>>

/** Contact screens that conversations show. */
export type ContactScreens = {
  /** Drawer that edits a contact. */
  readonly loadDrawer: () => Promise<ComponentType<{ id: number; onClose: () => void }>>
  /** Sections of a contact that are edited beside a conversation. */
  readonly loadSections: () => Promise<ComponentType<{ contactId: number }>>
  /** Search that chooses one contact, several, or (`onNumber`) a number without a contact. */
  readonly loadChoice: () => Promise<
    ComponentType<{
      chosen: number | null | readonly number[]
      onChoose: (id: number, name: string) => void
      onNumber?: (number: string) => void
    }>
  >
  /** Filters, search and saved views that select many contacts. */
  readonly loadAudience: () => Promise<
    ComponentType<{ filter: AudienceFilter; onChange: (filter: AudienceFilter) => void }>
  >
  /** Opportunities of a contact, beside a conversation. */
  readonly loadOpportunities: () => Promise<ComponentType<{ contact: { id: number; name: string } }>>
  /** Saves a contact card as a contact, unless its number already has one; resolves to that contact's id. */
  readonly loadSave: () => Promise<(card: { name: string; number: string }) => Promise<{ id: number; isNew: boolean }>>
}

let registered: ContactScreens

/** Registers the contact screens (called in `web/features.tsx`). */
export function registerContactScreens(screens: ContactScreens): void {
  registered = screens
}

/** Returns the registered contact screens. */
export const contactScreens = (): ContactScreens => registered
