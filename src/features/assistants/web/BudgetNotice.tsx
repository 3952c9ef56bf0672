import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'

const BudgetBar = lazyPart(async () => (await import('./BudgetBar.tsx')).BudgetBar)

/** Budget warning for users with `assistants:write`. */
export function BudgetNotice() {
  return useMay()('assistants:write') ? (
    <Suspense>
      <BudgetBar />
    </Suspense>
  ) : null
}
