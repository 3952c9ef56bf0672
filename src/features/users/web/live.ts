import { useEffect } from 'react'
import { queryClient } from '#web/client.ts'
import { on, onReconnect } from '#web/realtime.ts'
import { userEvents } from '../contract.ts'

/** Reads users again when one changed, came or left; a burst counts once. */
export function useLiveUsers(...families: readonly string[]): void {
  const read = families.join(' ')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        for (const family of read.split(' ')) void queryClient.invalidateQueries({ queryKey: [family] })
      }, 300)
    }
    const offs = [on(userEvents.changed, changed), on(userEvents.online, changed), onReconnect(changed)]
    return () => {
      clearTimeout(timer)
      for (const off of offs) off()
    }
  }, [read])
}
