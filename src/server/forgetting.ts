import type { Ctx } from './context.ts'

/** Somebody who is forgotten: all contacts that are one person, their tickets, and the identifiers that name them. */
export type Forgotten = {
  readonly contactIds: readonly number[]
  readonly ticketIds: readonly number[]
  /** Numbers, addresses, document and e-mail, as they are stored. */
  readonly identifiers: readonly string[]
  /** Files that somebody let go of: whoever does adds them, and they are removed at once where nothing else holds them. */
  readonly fileIds: string[]
}

/** What takes the place of an address that is forgotten. */
export const forgottenKey = (contactId: number): string => `esquecido:${contactId}`

/** Takes what one owner of tables keeps of somebody away, and leaves what is only a number. */
export type Forgetting = (ctx: Ctx, who: Forgotten) => Promise<void>

let registered: readonly Forgetting[] = []

/** Says who keeps something (`server/features.ts`). */
export function registerForgetting(all: readonly Forgetting[]): void {
  registered = all
}

/** Has everybody take away what they keep of somebody, in one transaction. */
export async function forgetEverywhere(ctx: Ctx, who: Forgotten): Promise<void> {
  for (const forget of registered) await forget(ctx, who)
}
