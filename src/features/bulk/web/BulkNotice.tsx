import { lazy, Suspense } from 'react'
import { operations } from './operations.ts'

const BulkBars = lazy(async () => ({ default: (await import('./BulkBars.tsx')).BulkBars }))

/** Shows on every screen how operations on many records get on. */
export function BulkNotice() {
  return operations.use().length > 0 ? (
    <Suspense>
      <BulkBars />
    </Suspense>
  ) : null
}
