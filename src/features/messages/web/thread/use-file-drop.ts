import { type DragEvent, useState } from 'react'

/** Handles files dragged over the conversation. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0)
  const carries = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
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
