import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { operations } from './operations.ts'

const BulkBars = lazyPart(async () => (await import('./BulkBars.tsx')).BulkBars)

/** Shows the progress of bulk operations on every screen. */
export function BulkNotice() {
  return operations.use().length > 0 ? (
    <Suspense>
      <BulkBars />
    </Suspense>
  ) : null
}
