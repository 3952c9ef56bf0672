/** Texts of a bulk action: in progress, and done with a number of records. */
export type BulkTexts = { readonly doing: string; readonly done: (count: number) => string }

type Load = () => Promise<(action: string) => BulkTexts>

const loads = new Map<string, Load>()

/** Registers the texts of the bulk actions on a kind of records. */
export const addBulkTexts = (kind: string, load: Load): void => void loads.set(kind, load)

/** Returns the texts of a bulk action on a kind of records. */
export const textsOf = async (kind: string, action: string): Promise<BulkTexts | undefined> =>
  (await loads.get(kind)?.())?.(action)
