import type { Ctx } from '#server/context.ts'

/** Records that contacts of an imported list agreed to marketing, and how; withdrawn consents stay withdrawn. */
export type DeclareConsents = (
  ctx: Ctx,
  contactIds: readonly number[],
  about: { readonly note: string; readonly userId: number | null },
) => Promise<void>

let declare: DeclareConsents = async () => {}

/** Registers the implementation that stores consents. */
export const registerImportConsents = (keeper: DeclareConsents): void => {
  declare = keeper
}

/** Passes the consents of an imported list to the registered implementation. */
export const declareConsents: DeclareConsents = (...input) => declare(...input)
