import { useEffect } from 'react'
import { queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { connectionEvents } from '../addresses.ts'

/** Reads the connections again whenever one of them changes, for as long as what shows them is there. */
export function useLiveConnections(): void {
  useEffect(() => {
    const read = () => void queryClient.invalidateQueries({ queryKey: ['connections'] })
    const offs = [on(connectionEvents.changed, read), on(connectionEvents.removed, read)]
    return () => {
      for (const off of offs) off()
    }
  }, [])
}
