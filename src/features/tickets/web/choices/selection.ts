import { createStore } from '#web/store.ts'

type Selection = { readonly ids: ReadonlySet<number>; readonly anchor: number | null }

const none: Selection = { ids: new Set(), anchor: null }
const selection = createStore(none)

/** Returns whether a ticket is selected for a bulk action. */
export const useIsChosen = (id: number): boolean => selection.use(({ ids }) => ids.has(id))

/** Returns whether any ticket is selected. */
export const useIsChoosing = (): boolean => selection.use(({ ids }) => ids.size > 0)

/** Returns the ids of the selected tickets. */
export const useChosen = (): ReadonlySet<number> => selection.use(({ ids }) => ids)

/** Toggles the selection of a ticket; with `order`, selects the range from the last one. */
export function choose(id: number, order?: readonly number[]): void {
  const { ids, anchor } = selection.get()
  const [from = -1, to = -1] = [anchor ?? id, id].map((one) => order?.indexOf(one) ?? -1).sort((a, b) => a - b)
  const next = new Set(ids)
  if (order && from >= 0) for (const one of order.slice(from, to + 1)) next.add(one)
  else if (!next.delete(id)) next.add(id)
  selection.set({ ids: next, anchor: id })
}

/** Clears the selection. */
export const clearChosen = (): void => selection.set(none)
