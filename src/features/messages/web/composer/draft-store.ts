import type { MailDraft } from '#domain/messages/mail.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { viewer } from '#web/session/session.ts'
import { createKeyedStore } from '#web/store.ts'
import { changeRow } from '../ticket/store.ts'

/** Unsent text with the message that it quotes; for a mail also its receivers and subject. */
export type Draft = {
  readonly body: string
  readonly isNote: boolean
  readonly quotedMsg: MessageRow['quotedMsg']
  readonly mail: MailDraft | null
}

/** Draft with the server revision that it is based on. */
export type Versioned = Draft & { readonly revision: number }

/** Draft as stored in this browser; `other` is a conflicting draft of another device, until the person chooses. */
export type SavedDraft = Versioned & { readonly synced: boolean; readonly other?: Versioned | undefined }

const empty: SavedDraft = { body: '', isNote: false, quotedMsg: null, mail: null, revision: 0, synced: true }
const drafts = createKeyedStore<number, SavedDraft>()

/** Returns the draft of a ticket and re-renders on change. */
export const useSavedDraft = (ticketId: number): SavedDraft => drafts.use(ticketId) ?? savedDraft(ticketId)

/** Returns the localStorage prefix of this person's drafts; the ticket's id follows. */
export const prefix = (): string => `guiche.draft.${viewer().userId}.`

/** Returns this browser's draft of a ticket. */
export function savedDraft(ticketId: number): SavedDraft {
  return drafts.get(ticketId) ?? stored(ticketId)
}

/** Reloads a draft from localStorage, where another tab may have changed it. */
export const readStored = (ticketId: number): void => drafts.set(ticketId, stored(ticketId))

function stored(ticketId: number): SavedDraft {
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(prefix() + ticketId) ?? '{}') }
  } catch {
    return empty
  }
}

/** Stores a draft in this browser and updates its preview in the list. */
export function saveDraft(ticketId: number, draft: SavedDraft): void {
  drafts.set(ticketId, draft)
  changeRow(ticketId, { draft: draft.body || null })
  const isGone = draft.body === '' && !draft.quotedMsg && !draft.mail && draft.synced
  try {
    if (isGone) localStorage.removeItem(prefix() + ticketId)
    else localStorage.setItem(prefix() + ticketId, JSON.stringify(draft))
  } catch {} // full or forbidden: the page and the server have it
}
