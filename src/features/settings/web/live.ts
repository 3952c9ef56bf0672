import { queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { settingsEvents } from '../addresses.ts'

const families = new Set<string>()

/** Refetches a query family that shows settings after changes of others, from the first call on. */
export function startSettingsLive(family: string): void {
  if (families.size === 0)
    on(settingsEvents.changed, () => {
      for (const one of families) void queryClient.invalidateQueries({ queryKey: [one] })
    })
  families.add(family)
}
