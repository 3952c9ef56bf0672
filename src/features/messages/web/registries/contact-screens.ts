import type { ComponentType } from 'react'

/** Audience of contacts: a query of their list. */
export type AudienceFilter = Readonly<Record<string, unknown>>

/** Contact screens that conversations show. */
export type ContactScreens = {
  /** The drawer in which a contact is changed. */
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
  /** Filters, search and saved views that choose many contacts. */
  readonly loadAudience: () => Promise<
    ComponentType<{ filter: AudienceFilter; onChange: (filter: AudienceFilter) => void }>
  >
  /** What is sold to a contact, beside a conversation with them. */
  readonly loadOpportunities: () => Promise<ComponentType<{ contact: { id: number; name: string } }>>
  /** Keeps a card as a contact, unless its number is a contact's already; answers whose. */
  readonly loadSave: () => Promise<(card: { name: string; number: string }) => Promise<{ id: number; isNew: boolean }>>
}

let registered: ContactScreens

/** Says who shows contacts (`web/features.tsx`). */
export function registerContactScreens(screens: ContactScreens): void {
  registered = screens
}

/** Who shows contacts. */
export const contactScreens = (): ContactScreens => registered
