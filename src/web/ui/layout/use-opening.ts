import { useEffect, useState } from 'react'

const leavingMs = 200

/** A drawer that slides in when it is drawn; `close` lets it slide out, and then calls `onClose`. */
export function useOpening(onClose: () => void): { opened: boolean; close: () => void } {
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  const close = () => {
    setOpened(false)
    setTimeout(onClose, leavingMs)
  }
  return { opened, close }
}
