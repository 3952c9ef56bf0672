import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Reads filters and selection from the address, as text by name, and sets them (undefined removes one) without a new history
 * entry, so that Back leaves the screen.
 */
export function useUrlState(): [
  Readonly<Record<string, string | undefined>>,
  (next: Record<string, string | number | undefined>) => void,
] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(search)) if (value !== undefined) values[name] = String(value)
  const set = useCallback(
    (next: Record<string, string | number | undefined>) =>
      void navigate({
        to: '.',
        replace: true,
        search: (now: Record<string, unknown>) =>
          Object.fromEntries(
            Object.entries({ ...now, ...next }).filter(([, value]) => value !== undefined && value !== ''),
          ),
      }),
    [navigate],
  )
  return [values, set]
}
