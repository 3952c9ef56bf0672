import { type DragEvent, useState } from 'react'

// A dialog or menu that Esc closes is gone before shortcuts are looked at: what was open is noted first.
let covered = false
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape') covered = document.querySelector('[role="dialog"], [role="menu"]') !== null
  },
  true,
)

/** Whether the Esc that was just pressed closed nothing else. */
export const escapeIsFree = () => !covered

/** Files dragged over the conversation. */
export function useDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0)
  const carries = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    dropping: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => carries(event) && setDepth((now) => now + 1),
      onDragLeave: (event: DragEvent) => carries(event) && setDepth((now) => Math.max(0, now - 1)),
      onDragOver: (event: DragEvent) => carries(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!carries(event)) return
        event.preventDefault()
        setDepth(0)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
