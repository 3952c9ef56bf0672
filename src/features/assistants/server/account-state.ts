import type { Ctx } from '#server/context.ts'
import { type StoredAccount, updateAccount } from '#server/providers/queries.ts'

/** How an account did when it was asked last. */
export type AccountState = { readonly ok: boolean; readonly text: string; readonly at: string }

/** The same failure is not stored again before this long. */
const REPEAT_MS = 60_000

/** Stores that an account failed in a turn, or that it answers again; `error` is null for an answer. */
export async function noteState(ctx: Ctx, { id, state }: StoredAccount, error: string | null): Promise<void> {
  const before = state as Partial<AccountState>
  if (error === null && before.ok !== false) return
  const isKnown = before.ok === false && before.text === error
  if (isKnown && ctx.now.getTime() - Date.parse(before.at ?? '') < REPEAT_MS) return
  const after: AccountState = { ok: error === null, text: error ?? 'Voltou a responder.', at: ctx.now.toISOString() }
  await updateAccount(ctx.db, id, { state: after }, ctx.now)
}
