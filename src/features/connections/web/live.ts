import { useEffect } from 'react'
import { queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { connectionEvents } from '../addresses.ts'

/** Reloads the connections on every change while the component is mounted. */
export function useLiveConnections(): void {
  useEffect(() => {
    const read = () => void queryClient.invalidateQueries({ queryKey: ['connections'] })
    const offs = [on(connectionEvents.changed, read), on(connectionEvents.removed, read)]
    return () => {
      for (const off of offs) off()
    }
  }, [])
}
