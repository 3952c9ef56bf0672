import { useCallback, useEffect, useState } from 'react'
import { type Draft, saveDraft, savedDraft, useSavedDraft } from './draft-store.ts'

/** Loads the module that synchronises drafts with the server, after the page. */
export const draftSync = () => import('./draft-sync.ts')

/**
 * Returns the draft of a ticket: stored in the browser on each key, on the server shortly after, for other devices. `has`:
 * the server had a draft when the conversation opened.
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
  // An empty own draft yields to one written on another device.
  const isTheirs = other && now.body === ''
  saveDraft(ticketId, isTheirs ? { ...other, synced: true } : { ...now, other, synced: false })
  if (!isTheirs) void draftSync().then(({ pushSoon }) => pushSoon(ticketId))
}
