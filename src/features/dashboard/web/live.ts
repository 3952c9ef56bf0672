import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageEvents, ticketEvents } from '#features/conversations/addresses.ts'
import { userEvents } from '#features/users/addresses.ts'
import { query, queryClient } from '#web/client.ts'
import { on, onReconnect } from '#web/realtime/realtime.ts'
import { dashboard } from '../addresses.ts'

const restMs = 2000
const everyMs = 60_000

/** What moves a figure. */
const events = [
  ticketEvents.create,
  ticketEvents.update,
  ticketEvents.delta,
  ticketEvents.gone,
  messageEvents.create,
  messageEvents.ack,
  userEvents.online,
  userEvents.changed,
]

/**
 * The figures, kept current: read again after anything that moves one, at most every 2 s however much happens, and once
 * a minute besides, because a day ends without an event.
 */
export function useFigures() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      void queryClient.invalidateQueries({ queryKey: [dashboard.live.family] })
    }
    const moved = () => {
      timer ??= setTimeout(read, restMs)
    }
    const offs = [...events.map((event) => on(event, moved)), onReconnect(moved)]
    return () => {
      clearTimeout(timer)
      for (const off of offs) off()
    }
  }, [])
  return useQuery({ ...query(dashboard.live), refetchInterval: everyMs, staleTime: 0 })
}
