import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { ThreadRow } from './thread-rows.ts'

type Box = RefObject<HTMLElement | null>

/** Distance to its end below which a conversation counts as at its end, in pixels. */
export const nearEnd = 80

/** Estimates the height of a row before it is measured, so that the scroll bar does not jump. */
export function estimate(row: ThreadRow | undefined): number {
  if (!row) return 52
  if (row.kind === 'scheduled') return 96
  if (row.kind === 'day') return 40
  if (row.kind === 'new' || row.kind === 'log') return 34
  if (row.kind === 'ticket') return 44
  const { body, file } = row.kind === 'message' ? row.message : row.item
  const mime = file?.mime ?? ''
  const media = !file ? 0 : /^(image|video)/.test(mime) ? 225 : 56
  const album = row.kind === 'message' && row.album ? 300 : 0
  const quote = row.kind === 'message' && row.message.quotedMsg ? 47 : 0
  const card = row.kind === 'message' && row.message.linkCard ? 94 : 0
  return (row.first ? 28 : 20) + (album || media) + quote + card + (body ? 20 * Math.ceil(body.length / 58) : 0)
}

/** Counts the contact's messages since the end was last on screen. */
export function useAway(messages: readonly MessageRow[], isSeen: boolean): number {
  const [seen, setSeen] = useState<string>()
  const last = messages.at(-1)?.id
  if (isSeen && last !== seen) setSeen(last)
  return useMemo(() => {
    const from = messages.findIndex((message) => message.id === seen)
    return seen === undefined ? 0 : messages.slice(from + 1).filter((message) => !message.fromMe).length
  }, [messages, seen])
}

/** Calls `onSeen` whenever the last message is seen: on mount, on a new message, and when the window regains focus. */
export function useSeen<M extends { readonly id: string }>(
  last: M | undefined,
  onSeen: ((last: M) => void) | undefined,
): void {
  const now = useRef({ last, onSeen })
  now.current = { last, onSeen }
  const id = last?.id
  useEffect(() => {
    if (!id) return
    const seen = () => {
      const { last, onSeen } = now.current
      if (last && document.visibilityState === 'visible' && document.hasFocus()) onSeen?.(last)
    }
    seen()
    addEventListener('focus', seen)
    document.addEventListener('visibilitychange', seen)
    return () => {
      removeEventListener('focus', seen)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [id])
}

/**
 * Keeps the view at the end while something in it (a card, a reaction) or the composer below grows. `isWhole`: nothing newer
 * is left to load.
 */
export function usePinned(box: Box, isWhole: boolean, toEnd: () => void): void {
  const now = useRef({ isWhole, toEnd })
  now.current = { isWhole, toEnd }
  useEffect(() => {
    const watched = box.current
    if (!watched) return
    // Only scrolling unpins: growing content would look like it.
    let isPinned = false
    const note = () => {
      const { scrollHeight, clientHeight, scrollTop } = watched
      isPinned = now.current.isWhole && scrollHeight - clientHeight - scrollTop <= nearEnd
    }
    note()
    const watch = new ResizeObserver(() => isPinned && now.current.toEnd())
    for (const part of [watched, ...watched.children]) watch.observe(part)
    watched.addEventListener('scroll', note)
    return () => {
      watch.disconnect()
      watched.removeEventListener('scroll', note)
    }
  }, [box])
}
