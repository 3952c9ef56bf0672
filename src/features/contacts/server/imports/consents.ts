import type { Ctx } from '#server/context.ts'

/** Records that contacts of an imported list agreed to get marketing, with how; who withdrew stays withdrawn. */
export type DeclareConsents = (
  ctx: Ctx,
  contactIds: readonly number[],
  about: { readonly note: string; readonly userId: number | null },
) => Promise<void>

let declare: DeclareConsents = async () => {}

/** Registers who keeps consents. */
export const registerImportConsents = (keeper: DeclareConsents): void => {
  declare = keeper
}

/** Hands the consents of an imported list to who keeps them. */
export const declareConsents: DeclareConsents = (...input) => declare(...input)
