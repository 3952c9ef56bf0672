import { lazy, Suspense } from 'react'
import { viewer } from '#web/session.ts'
import { mayBeSupport } from './support-memory.ts'

const SupportBar = lazy(async () => ({ default: (await import('./support-bar.tsx')).SupportBar }))

/** Support access is told to the company's administrators and in the support session itself; nobody else asks for it. */
export function SupportNotice() {
  const { profile } = viewer()
  if (!mayBeSupport() && profile !== 'admin' && profile !== 'superadmin') return null
  return (
    <Suspense>
      <SupportBar />
    </Suspense>
  )
}
