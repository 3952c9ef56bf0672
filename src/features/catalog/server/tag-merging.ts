import type { Ctx } from '#server/context.ts'

/** Hook with which a feature replaces a tag by another in its tables. */
export type TagMerging = (ctx: Ctx, from: number, into: number) => Promise<void>

let registered: readonly TagMerging[] = []

/** Registers the hooks of features that refer to tags (`server/features.ts`). */
export function registerTagMerging(all: readonly TagMerging[]): void {
  registered = all
}

/** Replaces a tag by another in all features, in one transaction. */
export async function mergeEverywhere(ctx: Ctx, from: number, into: number): Promise<void> {
  for (const merge of registered) await merge(ctx, from, into)
}
