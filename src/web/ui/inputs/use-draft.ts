import { useState } from 'react'
import { useUnsaved } from '../../unsaved.ts'

/**
 * A copy of something saved that is being changed. Until the first change it follows what is saved, also when somebody
 * else saves; a change holds the page until it is saved or dropped.
 */
export function useDraft<T>(saved: T) {
  const [draft, setDraft] = useState<{ value: T } | null>(null)
  const isChanged = draft !== null && JSON.stringify(draft.value) !== JSON.stringify(saved)
  useUnsaved(isChanged)
  return {
    value: draft ? draft.value : saved,
    isChanged,
    set: (value: T) => setDraft({ value }),
    discard: () => setDraft(null),
  }
}
