import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { tickets } from '#features/ledger/addresses.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import { call, queryClient } from '#web/client.ts'
import { mark, putRows, useTicketRow } from './store.ts'

/** Query key of a ticket's detail. */
export const ticketKey = (id: number) => ['attendance', 'ticket', id] as const
const logsKey = (id: number) => ['attendance', 'logs', id] as const

const detail = (id: number) => ({
  queryKey: ticketKey(id),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const since = mark()
    const found = await call(tickets.get, { params: { id } }, { signal, quiet: true })
    putRows([rowOf(found)], since)
    return found
  },
  staleTime: 60_000,
})

/** Returns a ticket's detail and re-renders on change; events update it through its row. */
export function useTicket(id: number) {
  const { data, error, refetch } = useQuery(detail(id))
  const row = useTicketRow(id)
  const ticket = useMemo(() => (data ? merged(data, row) : undefined), [data, row])
  return { ticket, error, refetch }
}

function merged(found: TicketDetail, row: TicketRow | undefined): TicketDetail {
  if (!row) return found
  const user = row.userId === null ? null : { id: row.userId, name: row.username ?? found.user?.name ?? '' }
  const whatsapp = { ...found.whatsapp, id: row.whatsappId, name: row.connectionName }
  return { ...found, ...row, user, whatsapp }
}

/** Prefetches a ticket. */
export const prefetchTicket = (id: number): Promise<void> => queryClient.prefetchQuery(detail(id))

/** Stores the ticket of a write response in the cache. */
export function saveTicket(found: TicketDetail): void {
  queryClient.setQueryData(ticketKey(found.id), found)
}

const logs = (id: number) => ({
  queryKey: logsKey(id),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(tickets.logs, { params: { id } }, { signal, quiet: true })).logs,
  staleTime: 60_000,
})

/** Log of a ticket, newest first, for the lines in its conversation. */
export const useLogs = (id: number) => useQuery(logs(id))

/** Prefetches a ticket's log as soon as its screen renders, without re-rendering when it arrives. */
export const useLogsFirst = (id: number): void => usePrefetchQuery(logs(id))

/** Refetches the tickets of a contact that are on screen, after the contact's data changed. */
export const refreshContact = (contactId: number): void =>
  void queryClient.invalidateQueries({
    queryKey: ['attendance', 'ticket'],
    predicate: ({ state }) => (state.data as TicketDetail | undefined)?.contactId === contactId,
  })

/** Refetches a ticket's log if it is on screen. */
export const refreshLogs = (id: number): void => void queryClient.invalidateQueries({ queryKey: logsKey(id) })

/** Returns the list row of a ticket's detail. */
export function rowOf(found: TicketDetail): TicketRow {
  const {
    protocol: _1,
    startedAttendanceAt: _2,
    isActiveDemand: _4,
    value: _5,
    reasons: _6,
    rating: _12,
    user: _7,
    whatsapp: _8,
    contactDetail: _9,
    scheduledMessages: _10,
    capabilities: _11,
    followers: _13,
    pinned: _14,
    writesTo: _15,
    freeUntil: _16,
    ...row
  } = found
  return row
}

/** Refetches a ticket if it is on screen, after a change of fields that its row does not have. */
export const refreshTicket = (id: number): void => void queryClient.invalidateQueries({ queryKey: ticketKey(id) })

/** Drops a ticket that the user may no longer see from the cache. */
export function forgetTicket(id: number): void {
  void queryClient.resetQueries({ queryKey: ticketKey(id) })
}
