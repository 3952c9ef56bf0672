import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { messageEvents, ticketEvents } from '#features/ledger/event-addresses.ts'
import { userEvents } from '#features/users/addresses.ts'
import type { EventAddress } from '#kit/addresses.ts'
import type { CallInput } from '#kit/contract.ts'
import { query } from '#web/client.ts'
import { on, onReconnect } from '#web/realtime/realtime.ts'
import { dashboard } from '../addresses.ts'

const restMs = 2000
const everyMs = 60_000
/** Minimum pause between requests, as a multiple of the server's response time. */
const restTimes = 10

/** Events that change ticket figures. */
const ofTickets = [
  ticketEvents.create,
  ticketEvents.update,
  ticketEvents.delta,
  ticketEvents.gone,
  userEvents.online,
  userEvents.changed,
]

type Read = { refetch: () => Promise<unknown> }

/**
 * Refetches figures after each relevant event, at most every 2 s and for a tenth of the time; also once a minute, since a
 * day's end and longer waits cause no event.
 */
function useLive({ refetch }: Read, events: readonly EventAddress[]): void {
  const reading = useRef(refetch)
  reading.current = refetch
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let rest = restMs
    let isReading = false
    const moved = () => {
      timer ??= setTimeout(() => void read(), rest)
    }
    const read = async () => {
      timer = undefined
      if (isReading) return moved()
      isReading = true
      const began = performance.now()
      await reading.current()
      isReading = false
      rest = Math.max(restMs, restTimes * (performance.now() - began))
    }
    const offs = [...events.map((event) => on(event, moved)), onReconnect(moved)]
    return () => {
      clearTimeout(timer)
      for (const off of offs) off()
    }
  }, [events])
}

const often = { refetchInterval: everyMs, staleTime: 0 } as const
const ofHome = [...ofTickets, messageEvents.create, messageEvents.update]

/** Hook with the figures of the home screen. */
export function useFigures(groups: boolean) {
  const read = useQuery({ ...query(dashboard.live, { query: { groups } }), ...often })
  useLive(read, ofHome)
  return read
}

/** Hook with the columns of the attendance panel; the previous ones remain until a new choice is loaded. */
export function useColumns(asked: NonNullable<CallInput<typeof dashboard.columns>['query']>) {
  const read = useQuery({
    ...query(dashboard.columns, { query: asked }),
    ...often,
    placeholderData: (before) => before,
  })
  useLive(read, ofTickets)
  return read
}
