import { useState } from 'react'
import { useUnsaved } from '../../unsaved.ts'

/**
 * Draft of saved data. Until the first change it follows the saved data, also when others save; a change blocks leaving the
 * page until it is saved or discarded.
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
