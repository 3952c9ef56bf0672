import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const leavingMs = 200

/**
 * A drawer that slides in when it is drawn; `close` lets it slide out, and then calls `onClose`: at once where nothing
 * moves, since what is pressed next may open another, and not at all once another has taken its place.
 */
export function useOpening(onClose: () => void): { opened: boolean; close: () => void } {
  const [opened, setOpened] = useState(false)
  const isStill = useReducedMotion()
  const leaving = useRef<number | undefined>(undefined)
  useEffect(() => {
    setOpened(true)
    return () => clearTimeout(leaving.current)
  }, [])
  const close = () => {
    setOpened(false)
    if (isStill) return onClose()
    leaving.current = window.setTimeout(onClose, leavingMs)
  }
  return { opened, close }
}
