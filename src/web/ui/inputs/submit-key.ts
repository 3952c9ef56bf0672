import type { KeyboardEvent } from 'react'

/** Ctrl+Enter (on a Mac also ⌘+Enter) sends the form, once the field that receives the key as well has taken what is written in it. */
export function submitByKey(event: KeyboardEvent, form: HTMLFormElement | null): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.stopPropagation()
  setTimeout(() => form?.requestSubmit())
}
