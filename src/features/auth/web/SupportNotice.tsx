import { Suspense } from 'react'
import { seesAsAdmin } from '#domain/access/profiles.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { ranked } from '#web/session/permissions.ts'
import { mayBeSupport } from './support-memory.ts'

const SupportBar = lazyPart(async () => (await import('./SupportBar.tsx')).SupportBar)

/** Shows `SupportBar` to the company's administrators and in the support session itself; other users do not query it. */
export function SupportNotice() {
  if (!mayBeSupport() && !seesAsAdmin(ranked())) return null
  return (
    <Suspense>
      <SupportBar />
    </Suspense>
  )
}
