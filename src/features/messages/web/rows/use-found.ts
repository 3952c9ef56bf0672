import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { toMoment } from '../cache/thread-cache.ts'
import type { Moment } from '../cache/thread-data.ts'
import type { ThreadRow } from './thread-rows.ts'

const markedFor = 2500
const ownMoves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Scrolls the message of a moment into view and highlights it for a while. Scrolls again when rows loaded around it move it,
 * until the highlight ends or the reader scrolls.
 */
export function useFound(given: {
  ticketId: number
  rows: readonly ThreadRow[]
  box: RefObject<HTMLElement | null>
  toIndex: (index: number) => void
}): { found: string | undefined; show: (moment: Moment) => Promise<void> } {
  const { ticketId, rows, box, toIndex } = given
  const [found, setFound] = useState<{ id: string }>()
  const isPinned = useRef(false)
  const scroll = useRef(toIndex)
  scroll.current = toIndex
  const show = useCallback(
    async (moment: Moment) => {
      const message = await toMoment(ticketId, moment)
      if (!message) return
      const next = { id: message.id }
      isPinned.current = true
      setFound(next)
      setTimeout(() => setFound((now) => (now === next ? undefined : now)), markedFor)
    },
    [ticketId],
  )
  useEffect(() => {
    if (!found || !isPinned.current) return
    const frame = requestAnimationFrame(() => {
      const index = rows.findIndex(
        (row) => row.kind === 'message' && (row.album ?? [row.message]).some(({ id }) => id === found.id),
      )
      if (index >= 0) scroll.current(index)
    })
    return () => cancelAnimationFrame(frame)
  }, [found, rows])
  useEffect(() => {
    const moved = box.current
    const letGo = () => {
      isPinned.current = false
    }
    for (const event of ownMoves) moved?.addEventListener(event, letGo, { passive: true })
    return () => {
      for (const event of ownMoves) moved?.removeEventListener(event, letGo)
    }
  }, [box])
  return { found: found?.id, show }
}
