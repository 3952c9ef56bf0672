/** How an action is told: while it goes on, and when it is done with so many. */
export type BulkTexts = { readonly doing: string; readonly done: (count: number) => string }

type Load = () => Promise<(action: string) => BulkTexts>

const loads = new Map<string, Load>()

/** Says how the actions on a kind of records are told. */
export const addBulkTexts = (kind: string, load: Load): void => void loads.set(kind, load)

/** How an action on a kind of records is told. */
export const textsOf = async (kind: string, action: string): Promise<BulkTexts | undefined> =>
  (await loads.get(kind)?.())?.(action)
