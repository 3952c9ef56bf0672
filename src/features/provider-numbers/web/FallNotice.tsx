import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'

const Falls = lazyPart(async () => (await import('./Falls.tsx')).Falls)

/** Listens, for those who administer channels, for numbers that fall. */
export function FallNotice() {
  return useMay()('connections:write') ? (
    <Suspense>
      <Falls />
    </Suspense>
  ) : null
}
