import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'

/** Hook of a composer's text field: as high as its text; with `takesFocus`, focused where a pointer can hover. */
export function useTextArea(text: string, takesFocus = true) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const field = area.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height = `${Math.max(field.scrollHeight, text ? 0 : 22)}px`
  }, [text])
  useEffect(() => {
    if (takesFocus && matchMedia('(hover: hover)').matches) area.current?.focus()
  }, [takesFocus])
  return {
    area,
    focus: () => requestAnimationFrame(() => area.current?.focus()),
    /** Returns the text with an addition in place of the selection, and the position after it. */
    inserted(added: string): { next: string; at: number } {
      const from = area.current?.selectionStart ?? text.length
      const to = area.current?.selectionEnd ?? from
      return { next: text.slice(0, from) + added + text.slice(to), at: from + added.length }
    },
  }
}

/** Whether a key sends the text: Enter, or Ctrl+Enter where Enter breaks the line. */
export const isSendKey = (event: KeyboardEvent, enterSends: boolean): boolean =>
  event.key === 'Enter' && (enterSends ? !event.shiftKey : event.ctrlKey || event.metaKey)
