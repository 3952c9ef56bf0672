import { ASSISTANTS } from '#domain/tickets/assistants.ts'
import type { Queryable } from '#server/db/db.ts'
import { listAccounts } from '#server/providers/queries.ts'
import { KIND } from './accounts.ts'

/** Returns the active accounts that may answer customers, each provider's default first. */
export const answeringAccounts = async (
  db: Queryable,
): Promise<{ readonly id: number; readonly name: string; readonly provider: string }[]> =>
  (await listAccounts(db, KIND)).flatMap(({ id, name, provider, is_active: isActive }) =>
    isActive && ASSISTANTS.some((one) => one === provider) ? [{ id, name, provider }] : [],
  )
