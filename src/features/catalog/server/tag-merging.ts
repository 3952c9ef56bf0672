import type { Ctx } from '#server/context.ts'

/** Has one owner of tables put a tag in the place of another one, in whatever of theirs refers to it. */
export type TagMerging = (ctx: Ctx, from: number, into: number) => Promise<void>

let registered: readonly TagMerging[] = []

/** Says who refers to tags (`server/features.ts`). */
export function registerTagMerging(all: readonly TagMerging[]): void {
  registered = all
}

/** Has everybody put a tag in the place of another one, in one transaction. */
export async function mergeEverywhere(ctx: Ctx, from: number, into: number): Promise<void> {
  for (const merge of registered) await merge(ctx, from, into)
}
