import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import type { ThreadRow } from './thread-rows.ts'

type Box = RefObject<HTMLElement | null>

/** Heights before they are measured: close enough that the bar does not jump. */
export function estimate(row: ThreadRow | undefined): number {
  if (!row) return 52
  if (row.kind === 'scheduled') return 96
  if (row.kind === 'day') return 40
  if (row.kind === 'new' || row.kind === 'log') return 34
  if (row.kind === 'ticket') return 44
  const { body, file } = row.kind === 'message' ? row.message : row.item
  const mime = file?.mime ?? ''
  const media = !file ? 0 : /^(image|video)/.test(mime) ? 225 : 56
  const quote = row.kind === 'message' && row.message.quotedMsg ? 47 : 0
  const card = row.kind === 'message' && row.message.linkCard ? 94 : 0
  return (row.first ? 28 : 20) + media + quote + card + (body ? 20 * Math.ceil(body.length / 58) : 0)
}

/** How many messages of the contact came since the end was last on screen. */
export function useAway(messages: readonly MessageRow[], isSeen: boolean): number {
  const [seen, setSeen] = useState<string>()
  const last = messages.at(-1)?.id
  if (isSeen && last !== seen) setSeen(last)
  return useMemo(() => {
    const from = messages.findIndex((message) => message.id === seen)
    return seen === undefined ? 0 : messages.slice(from + 1).filter((message) => !message.fromMe).length
  }, [messages, seen])
}

/** Tells whenever the end, `last`, is seen: on arrival, on a new message, and when the window comes back to the front. */
export function useSeen(last: MessageRow | undefined, onSeen: ((last: MessageRow) => void) | undefined): void {
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

/** The composer grows upward and pushes the thread: whoever reads its end keeps reading its end. */
export function usePinned(box: Box, isAtEnd: boolean, toEnd: () => void): void {
  const now = useRef({ isAtEnd, toEnd })
  now.current = { isAtEnd, toEnd }
  useEffect(() => {
    const watched = box.current
    if (!watched) return
    const watch = new ResizeObserver(() => now.current.isAtEnd && now.current.toEnd())
    watch.observe(watched)
    return () => watch.disconnect()
  }, [box])
}
