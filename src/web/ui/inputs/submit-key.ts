import type { KeyboardEvent } from 'react'

/** Submits the form at Ctrl+Enter (on a Mac also ⌘+Enter), after the focused field has handled the key itself. */
export function submitByKey(event: KeyboardEvent, form: HTMLFormElement | null): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.stopPropagation()
  setTimeout(() => form?.requestSubmit())
}
