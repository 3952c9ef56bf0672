import { useCallback, useEffect, useState } from 'react'
import { type Draft, saveDraft, savedDraft, useSavedDraft } from './draft-store.ts'

/** Loads the module that synchronises drafts with the server, after the page. */
export const draftSync = () => import('./draft-sync.ts')

/**
 * The draft of a ticket: kept in this browser with every key, on the server a moment later, so that it waits on every
 * device. `has`: the server knew one when the conversation was opened.
 */
export function useDraft(ticketId: number, has: boolean) {
  const draft = useSavedDraft(ticketId)
  const [hadOne] = useState(has)
  useEffect(() => {
    void draftSync().then(({ openDraft }) => openDraft(ticketId, hadOne))
    return () => void draftSync().then(({ leaveDraft }) => leaveDraft(ticketId))
  }, [ticketId, hadOne])
  const write = useCallback((change: Partial<Draft>) => writeDraft(ticketId, change), [ticketId])
  return [draft, write] as const
}

/** Changes the draft of a ticket. */
export function writeDraft(ticketId: number, change: Partial<Draft>): void {
  const { other, ...now } = { ...savedDraft(ticketId), ...change }
  // What was written elsewhere is not lost with what was sent here.
  const isTheirs = other && now.body === ''
  saveDraft(ticketId, isTheirs ? { ...other, synced: true } : { ...now, other, synced: false })
  if (!isTheirs) void draftSync().then(({ pushSoon }) => pushSoon(ticketId))
}
