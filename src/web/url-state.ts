import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Filters and selection in the address, as text by name. */
export type Url = Readonly<Record<string, string | undefined>>

/** Sets some of them; undefined removes one. */
export type SetUrl = (next: Record<string, string | number | undefined>) => void

/**
 * Reads filters and selection from the address, as text by name, and sets them (undefined removes one) without a new history
 * entry, so that Back leaves the screen.
 */
export function useUrlState(): [Url, SetUrl] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(search)) if (value !== undefined) values[name] = String(value)
  const set: SetUrl = useCallback(
    (next) =>
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
