import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'

const BudgetBar = lazyPart(async () => (await import('./BudgetBar.tsx')).BudgetBar)

/** Warns who may change it that what assistants may use is nearly or wholly used. */
export function BudgetNotice() {
  return useMay()('assistants:write') ? (
    <Suspense>
      <BudgetBar />
    </Suspense>
  ) : null
}
