import type { Ctx } from './context.ts'

/** Person to erase: all their contacts, their tickets, and the identifiers that name them. */
export type Forgotten = {
  readonly contactIds: readonly number[]
  readonly ticketIds: readonly number[]
  /** Numbers, addresses, document and e-mail, as they are stored. */
  readonly identifiers: readonly string[]
  /** Files released by the erasure; each is deleted at once unless it is referenced elsewhere. */
  readonly fileIds: string[]
}

/** Returns the replacement of a forgotten address. */
export const forgottenKey = (contactId: number): string => `esquecido:${contactId}`

/** Erasure of a person's data in one owner's tables; statistics remain. */
export type Forgetting = (ctx: Ctx, who: Forgotten) => Promise<void>

let registered: readonly Forgetting[] = []

/** Registers the erasures of all owners (`server/features.ts`). */
export function registerForgetting(all: readonly Forgetting[]): void {
  registered = all
}

/** Runs every registered erasure in one transaction. */
export async function forgetEverywhere(ctx: Ctx, who: Forgotten): Promise<void> {
  for (const forget of registered) await forget(ctx, who)
}
