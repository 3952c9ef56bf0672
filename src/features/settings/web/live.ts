import { queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { settingsEvents } from '../addresses.ts'

let started = false

/** Keeps open settings in step with what others change; from the first call on. */
export function startSettingsLive(): void {
  if (started) return
  started = true
  on(settingsEvents.changed, () => {
    for (const family of ['settings', 'hours', 'ratings', 'tenants'])
      void queryClient.invalidateQueries({ queryKey: [family] })
  })
}
