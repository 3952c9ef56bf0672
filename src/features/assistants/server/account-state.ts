import type { Ctx } from '#server/context.ts'
import { type StoredAccount, updateAccount } from '#server/providers/queries.ts'

/** Result of an account's last call. */
export type AccountState = { readonly ok: boolean; readonly text: string; readonly at: string }

/** Minimum interval between stored failures of the same kind. */
const REPEAT_MS = 60_000

/** Stores the failure of an account in a turn, or its recovery; `error` is null for an answer. */
export async function noteState(ctx: Ctx, { id, state }: StoredAccount, error: string | null): Promise<void> {
  const before = state as Partial<AccountState>
  if (error === null && before.ok !== false) return
  const isKnown = before.ok === false && before.text === error
  if (isKnown && ctx.now.getTime() - Date.parse(before.at ?? '') < REPEAT_MS) return
  const after: AccountState = { ok: error === null, text: error ?? 'Voltou a responder.', at: ctx.now.toISOString() }
  await updateAccount(ctx.db, id, { state: after }, ctx.now)
}
