import { useCallback, useEffect, useRef, useState } from 'react'
import { tickets } from '#features/conversations/addresses.ts'
import { call } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'

/** What somebody began to write. */
export type Draft = { body: string; isNote: boolean }

type SavedDraft = Draft & { synced: boolean }

const empty: Draft = { body: '', isNote: false }
const wait = 1200
const keyOf = (ticketId: number) => `guiche.draft.${viewer().userId}.${ticketId}`

function local(ticketId: number): SavedDraft | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(ticketId)) ?? 'null')
  } catch {
    return null
  }
}

function saveLocal(ticketId: number, draft: Draft, synced: boolean): void {
  if (draft.body === '' && synced) localStorage.removeItem(keyOf(ticketId))
  else localStorage.setItem(keyOf(ticketId), JSON.stringify({ ...draft, synced }))
}

async function push(ticketId: number, draft: Draft): Promise<void> {
  await call(tickets.draft, { params: { id: ticketId }, body: draft }, { quiet: true })
  const now = local(ticketId)
  if (!now || (now.body === draft.body && now.isNote === draft.isNote)) saveLocal(ticketId, draft, true)
}

/**
 * The draft of a ticket: kept in this browser with every key, on the server a moment later, so that it waits on every
 * device. `has` says that the server knows one. What was written here and never reached the server wins.
 */
export function useDraft(ticketId: number, has: boolean, onChange: (body: string) => void) {
  const [draft, setDraft] = useState<Draft>(() => local(ticketId) ?? empty)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const touched = useRef(false)
  const latest = useRef(draft)
  latest.current = draft
  const changed = useRef(onChange)
  changed.current = onChange

  useEffect(() => {
    const saved = local(ticketId)
    if (saved && !saved.synced) return
    if (!has) {
      // Sent or emptied on another device.
      if (touched.current || !saved) return
      saveLocal(ticketId, empty, true)
      return setDraft(empty)
    }
    call(tickets.getDraft, { params: { id: ticketId } }, { quiet: true })
      .then((there) => !touched.current && setDraft(there))
      .catch(() => {})
  }, [ticketId, has])

  const flush = useCallback(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    push(ticketId, latest.current).catch(() => {})
  }, [ticketId])

  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])

  const write = useCallback(
    (next: Draft) => {
      touched.current = true
      setDraft(next)
      latest.current = next
      saveLocal(ticketId, next, false)
      changed.current(next.body)
      clearTimeout(timer.current)
      timer.current = setTimeout(flush, next.body === '' ? 0 : wait)
    },
    [ticketId, flush],
  )
  return [draft, write] as const
}
