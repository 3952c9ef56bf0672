import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ticketViewEvents, ticketViews } from '#features/tickets/views-addresses.ts'
import type { TicketView } from '#features/tickets/views-contract.ts'
import { attempt } from '#web/attempt.ts'
import { call, query, queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { createStore } from '#web/store.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { type ListFilter, queryOf, readFilter, writeFilter } from '../lists/list-filter.ts'

/** Open dialog of views: save a new or given one, or arrange all. */
export type AskedView = { what: 'save'; view: TicketView | null } | { what: 'arrange' } | null

/** Store of the open dialog of views. */
export const askedView = createStore<AskedView>(null)

const counted = query(ticketViews.counts)

/** Returns this person's views and re-renders on change; undefined until loaded. */
export function useViews(): readonly TicketView[] | undefined {
  useEffect(
    () =>
      on(ticketViewEvents.changed, () => void queryClient.invalidateQueries({ queryKey: [ticketViews.list.family] })),
    [],
  )
  return useQuery({ ...query(ticketViews.list), staleTime: 5 * 60_000 }).data?.views
}

const recountMs = 20_000

/** Returns the number of tickets per view, refetched every twenty seconds while enabled. */
export function useViewCounts(enabled: boolean): ReadonlyMap<number, number> {
  const { data } = useQuery({ ...counted, enabled, refetchInterval: recountMs, staleTime: recountMs / 2 })
  return new Map(data?.counts.map(({ id, count }) => [id, count]))
}

/** Returns the filter of a view. */
export const filterOf = ({ filter }: Pick<TicketView, 'filter'>): ListFilter => ({
  ...readFilter(filter),
  isGroup: filter.isGroup ?? null,
  scope: filter.isNotAssignedUser ? 'unassigned' : (filter.scope ?? null),
})

/** Returns a filter as views store it, without the search. */
export const viewOf = (filter: ListFilter): TicketView['filter'] => queryOf({ ...filter, search: '' })

const sorted = (filter: ListFilter): string =>
  JSON.stringify(
    Object.entries(writeFilter({ ...filter, search: '' }))
      .map(([key, value]) => [key, Array.isArray(value) ? value.toSorted((a, b) => a - b) : value])
      .sort(),
  )

/** Checks whether the list currently shows a view. */
export const isShown = (view: TicketView, filter: ListFilter): boolean => sorted(filterOf(view)) === sorted(filter)

/** Removes a view; the toast restores it. */
export async function removeView({ id, name }: TicketView): Promise<void> {
  const restore = () =>
    attempt(() => call(ticketViews.restore, { params: { id } }, { quiet: true }), t('A visão {name} voltou', { name }))
  await attempt(async () => {
    await call(ticketViews.remove, { params: { id } }, { quiet: true })
    const action = { label: t('Desfazer'), run: () => void restore() }
    notify({ tone: 'pos', title: t('Visão {name} excluída', { name }), action, ms: 10_000 })
  })
}

/** Moves a view among those of its audience that this person may arrange. */
export async function moveView(views: readonly TicketView[], view: TicketView, by: -1 | 1): Promise<void> {
  const ids = views.filter((one) => one.audience === view.audience && one.mayChange).map(({ id }) => id)
  const at = ids.indexOf(view.id)
  const other = ids[at + by]
  if (other === undefined) return
  const next = ids.with(at, other).with(at + by, view.id)
  await attempt(() => call(ticketViews.order, { body: { ids: next } }, { quiet: true }))
}
