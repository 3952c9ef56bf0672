import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { operations } from './operations.ts'

const BulkBars = lazyPart(async () => (await import('./BulkBars.tsx')).BulkBars)

/** Shows on every screen how operations on many records get on. */
export function BulkNotice() {
  return operations.use().length > 0 ? (
    <Suspense>
      <BulkBars />
    </Suspense>
  ) : null
}
