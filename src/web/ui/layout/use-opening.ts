import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const leavingMs = 200

/**
 * State of a drawer that slides in when it is mounted; `close` slides it out, and then calls `onClose`: at once without
 * motion, since the next click may open another drawer, and not at all once another has replaced it.
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
