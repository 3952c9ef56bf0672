/** Loaded list of tickets: ids in order, and the next cursor; null when everything is loaded. */
export type ListData = { readonly ids: readonly number[]; readonly cursor: string | null }

/** Comparator of two tickets by list order: negative if the first comes before the second. */
export type Order = (a: number, b: number) => number

/** Returns the list with a ticket inserted in order; one beyond the loaded part waits for its page. */
export function insertSorted(list: ListData, id: number, order: Order): ListData {
  const others = list.ids.filter((one) => one !== id)
  const before = others.findIndex((one) => order(id, one) < 0)
  const at = before < 0 ? others.length : before
  if (at === others.length && list.cursor !== null) {
    return others.length === list.ids.length ? list : { ...list, ids: others }
  }
  if (list.ids[at] === id) return list
  return { ...list, ids: others.toSpliced(at, 0, id) }
}

/** Returns the list without a ticket. */
export function remove(list: ListData, id: number): ListData {
  return list.ids.includes(id) ? { ...list, ids: list.ids.filter((one) => one !== id) } : list
}

/** Returns the list after its first page was read again; keeps rows below the page that still belong there. */
export function withFirstPage(
  list: ListData | undefined,
  first: ListData,
  order: Order,
  belongs: (id: number) => boolean,
): ListData {
  const last = first.ids.at(-1)
  if (!list || first.cursor === null || last === undefined) return first
  const below = list.ids.filter((id) => !first.ids.includes(id) && order(last, id) < 0 && belongs(id))
  if (below.length === 0) return first
  return { ids: [...first.ids, ...below], cursor: list.cursor }
}

/** Returns the list with its next page appended. */
export function withNext(list: ListData, next: ListData): ListData {
  const known = new Set(list.ids)
  return { ids: [...list.ids, ...next.ids.filter((id) => !known.has(id))], cursor: next.cursor }
}

/** Visible order of the list, and the number of new tickets that wait above it. */
export type Calm = { readonly ids: readonly number[]; readonly waiting: number }

/**
 * Returns the order to show. Not held: the list's own, with the open ticket kept in place if it left the list. Held (pointer
 * over the list, or scrolled): nothing moves; new tickets are only counted, removed ones keep their place, and rows are only
 * added at the end.
 */
export function calm(before: readonly number[], list: ListData, isHeld: boolean, openId: number | null): Calm {
  if (!isHeld) {
    const at = openId === null || list.ids.includes(openId) ? -1 : before.indexOf(openId)
    return {
      ids: at < 0 ? list.ids : list.ids.toSpliced(Math.min(at, list.ids.length), 0, openId as number),
      waiting: 0,
    }
  }
  const shown = new Set(before)
  const lastCommon = list.ids.findLastIndex((id) => shown.has(id))
  const fresh = list.ids.filter((id, index) => index < lastCommon && !shown.has(id))
  const below = list.ids.slice(lastCommon + 1)
  return { ids: below.length > 0 ? [...before, ...below] : before, waiting: fresh.length }
}
