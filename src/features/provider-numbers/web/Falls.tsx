import { useEffect } from 'react'
import { on } from '#web/realtime/realtime.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { providerNumberEvents } from '../addresses.ts'

/** Tells administrators, wherever they are, that a number fell, was restricted or waits for a payment. */
export function Falls() {
  useEffect(
    () =>
      on(providerNumberEvents.fell, ({ whatsappId, title, text }) =>
        notify({ id: `number ${whatsappId} ${title}`, tone: 'warn', title, text }),
      ),
    [],
  )
  return null
}
