import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { tickets } from '#features/ledger/addresses.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import { call, queryClient } from '#web/client.ts'
import { mark, putRows, useTicketRow } from './store.ts'

/** Under which key one ticket with everything its screen shows is kept. */
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

/** One ticket with everything its screen shows, live: what events change comes from its row. */
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

/** Reads a ticket before it is opened. */
export const prefetchTicket = (id: number): Promise<void> => queryClient.prefetchQuery(detail(id))

/** Takes in a ticket that a write answered. */
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

/** Asks for a ticket's log as soon as its screen is drawn, and draws that screen no second time when it comes. */
export const useLogsFirst = (id: number): void => usePrefetchQuery(logs(id))

/** Reads the tickets of a contact again, those that are on screen: its data have changed. */
export const refreshContact = (contactId: number): void =>
  void queryClient.invalidateQueries({
    queryKey: ['attendance', 'ticket'],
    predicate: ({ state }) => (state.data as TicketDetail | undefined)?.contactId === contactId,
  })

/** Reads a ticket's log again, where it is on screen: it has moved. */
export const refreshLogs = (id: number): void => void queryClient.invalidateQueries({ queryKey: logsKey(id) })

/** The part of a ticket that is a row of the list. */
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

/** Reads a ticket again, where it is on screen: something of it changed that no row carries. */
export const refreshTicket = (id: number): void => void queryClient.invalidateQueries({ queryKey: ticketKey(id) })

/** Forgets a ticket that may no longer be seen. */
export function forgetTicket(id: number): void {
  void queryClient.resetQueries({ queryKey: ticketKey(id) })
}
