import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { saveConfigs } from '#web/preferences.ts'
import { store, stored } from '#web/session/session.ts'
import { isFigure, type ListFilter, plainFilter, readAddress, writeFilter } from './list-filter.ts'

type Search = Record<string, unknown>

let timer: ReturnType<typeof setTimeout> | undefined

/** Saves the filter for the next visit: locally at once, on the server debounced (decision A32). */
function save(filter: ListFilter): void {
  if (isFigure(filter)) return // a filter opened by a figure is not the person’s choice
  const query = writeFilter({ ...filter, search: '' })
  store('filtrosAtendimento', query)
  store('tagFiltro', filter.tags)
  store('kanbanFiltro', filter.kanban)
  clearTimeout(timer)
  timer = setTimeout(() => {
    saveConfigs({ filtrosAtendimento: query }).catch(() => {})
  }, 1500)
}

/** Returns the list's filter from the URL, else the saved one, and a setter that writes both. */
export function useFilter(): [ListFilter, (change: Partial<ListFilter>) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  // Only filter fields: removing a moment from the URL is no change of filter.
  const written = JSON.stringify(Object.entries(search).filter(([key]) => key in plainFilter))
  const filter = useMemo(() => {
    const asked = Object.fromEntries(JSON.parse(written) as [string, unknown][])
    return readAddress(asked, stored<Search>('filtrosAtendimento'))
  }, [written])
  const change = useCallback(
    (part: Partial<ListFilter>) => {
      const next = { ...filter, ...part }
      save(next)
      void navigate({ to: '.', replace: true, search: withFilter(next) })
    },
    [filter, navigate],
  )
  return [filter, change]
}

/** Returns the URL query for a filter, keeping other parameters. */
const withFilter =
  (filter: ListFilter) =>
  (before: Search): Search => {
    const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !(key in plainFilter)))
    return { ...rest, ...writeFilter(filter) }
  }

/**
 * Returns a function that opens a ticket, optionally at a moment of its conversation; keeps the filter in the URL, or sets
 * the given one.
 */
export function useOpenTicket() {
  const navigate = useNavigate()
  return useCallback(
    (id: number | null, { timestamp, filter }: { timestamp?: number; filter?: ListFilter } = {}) => {
      if (filter) save(filter)
      const search = (before: Search) => {
        const { timestamp: _, pageNumber: __, ...rest } = filter ? withFilter(filter)(before) : before
        return { ...rest, ...(timestamp ? { timestamp } : {}) }
      }
      return navigate({ to: id === null ? '/atendimento/chats/' : `/atendimento/${id}`, search: search })
    },
    [navigate],
  )
}
