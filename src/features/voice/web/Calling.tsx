import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { calling } from '#web/shell/calling.ts'
import rail from '#web/shell/rail.module.css'
import { t } from '#web/t.ts'
import { PhoneIcon } from '#web/ui/icons.ts'
import { listen, request, voice } from './voice.ts'

const Phone = lazyPart(async () => (await import('./Phone.tsx')).Phone)

/** Phone of the page, where the company has a voice device: follows its calls, and is drawn when asked for or called. */
export function Calling() {
  const { devices, calls } = voice.use()
  const [isOpen, setOpen] = useState(false)
  const hasDevices = devices.length > 0
  useEffect(listen, [])
  useEffect(() => {
    if (!hasDevices) return
    const toggle = () => setOpen((open) => !open)
    calling.set({
      call: (number) => void request({ do: 'call', number }),
      Button: ({ onOpen }) => (
        <button
          type="button"
          className={rail.tool}
          aria-label={t('Telefone')}
          onClick={() => {
            toggle()
            onOpen()
          }}
        >
          <PhoneIcon size={20} />
        </button>
      ),
    })
    return () => calling.set(null)
  }, [hasDevices])
  if (!hasDevices || !(isOpen || calls.length > 0)) return null
  return (
    <Suspense>
      <Phone onClose={() => setOpen(false)} />
    </Suspense>
  )
}
