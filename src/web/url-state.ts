import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Filters and selection in the address: reads the query as text by name, and sets names (undefined takes one out)
 * without a new history entry, so Back leaves the screen.
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
