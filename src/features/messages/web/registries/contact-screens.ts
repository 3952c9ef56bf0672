import type { ComponentType } from 'react'

/** What many contacts are chosen by: a query of their list. */
export type AudienceFilter = Readonly<Record<string, unknown>>

/** What contacts show within conversations. */
export type ContactScreens = {
  /** The drawer in which a contact is changed. */
  readonly loadDrawer: () => Promise<ComponentType<{ id: number; onClose: () => void }>>
  /** What of a contact is changed beside a conversation. */
  readonly loadSections: () => Promise<ComponentType<{ contactId: number }>>
  /** The search in which a contact is chosen, or several, or (`onNumber`) a number that is nobody's. */
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
