import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react'
import { type CaretText, deletion, type Edit } from './edit-text.ts'

/**
 * Keeps the caret of a field that is reformatted after every key (a mask, a phone number): `change` takes the edit, passes
 * the formatted text to `onText`, and puts the caret where the edit left it instead of at the end.
 */
export function useCaret(dressed: (edit: Edit) => CaretText, onText: (text: string) => void) {
  const field = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState<{ at: number }>()
  useLayoutEffect(() => {
    if (caret && document.activeElement === field.current) field.current?.setSelectionRange(caret.at, caret.at)
  }, [caret])
  const change = (before: string) => (event: ChangeEvent<HTMLInputElement>) => {
    const { value: text, selectionStart } = event.currentTarget
    const { inputType } = event.nativeEvent as InputEvent
    const next = dressed({ before, text, caret: selectionStart ?? text.length, deleted: deletion(inputType) })
    setCaret({ at: next.caret })
    onText(next.text)
  }
  return { field, change }
}
