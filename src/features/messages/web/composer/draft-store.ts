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

/** A draft with the version of the server's that it was written on. */
export type Versioned = Draft & { readonly revision: number }

/** A draft as this browser keeps it; `other`: another device wrote meanwhile, and the person has not chosen yet. */
export type SavedDraft = Versioned & { readonly synced: boolean; readonly other?: Versioned | undefined }

const empty: SavedDraft = { body: '', isNote: false, quotedMsg: null, mail: null, revision: 0, synced: true }
const drafts = createKeyedStore<number, SavedDraft>()

/** The draft of a ticket, live. */
export const useSavedDraft = (ticketId: number): SavedDraft => drafts.use(ticketId) ?? savedDraft(ticketId)

/** Under which names the drafts of this person lie in the browser, before the ticket's number. */
export const prefix = (): string => `guiche.draft.${viewer().userId}.`

/** What this browser keeps of a draft. */
export function savedDraft(ticketId: number): SavedDraft {
  return drafts.get(ticketId) ?? stored(ticketId)
}

/** Takes for a draft what lies in the browser by now, whichever tab wrote it. */
export const readStored = (ticketId: number): void => drafts.set(ticketId, stored(ticketId))

function stored(ticketId: number): SavedDraft {
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(prefix() + ticketId) ?? '{}') }
  } catch {
    return empty
  }
}

/** Keeps a draft in this browser, and shows how it begins in the list. */
export function saveDraft(ticketId: number, draft: SavedDraft): void {
  drafts.set(ticketId, draft)
  changeRow(ticketId, { draft: draft.body || null })
  const isGone = draft.body === '' && !draft.quotedMsg && !draft.mail && draft.synced
  try {
    if (isGone) localStorage.removeItem(prefix() + ticketId)
    else localStorage.setItem(prefix() + ticketId, JSON.stringify(draft))
  } catch {} // full or forbidden: the page and the server have it
}
