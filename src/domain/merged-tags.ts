import { isRecord } from './keys.ts'

/** Merge of two tags: `from` is replaced by `into`. */
export type TagMerge = { readonly from: number; readonly into: number }

/** Replaces an id in a list of ids (numbers or texts) and removes duplicates. */
function inList(ids: readonly unknown[], { from, into }: TagMerge): unknown[] {
  const replaced = ids.map((id) => (id === from ? into : id === String(from) ? String(into) : id))
  return [...new Set(replaced)]
}

const map = (value: unknown, change: (part: Record<string, unknown>) => Record<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((one) => map(one, change))
  if (!isRecord(value)) return value
  const within = Object.entries(value).map(([key, part]) => [key, map(part, change)] as const)
  return change(Object.fromEntries(within))
}

/** Replaces a merged tag in actions, conditions, filters and requests. */
export const withTagMerged = (value: unknown, merge: TagMerge): unknown =>
  map(value, (part) => {
    const lists = ['tagIds', 'tags', 'tag', ...(part['field'] === 'tagIds' ? ['values'] : [])]
    return changeLists(part, lists, merge)
  })

/** Replaces a merged tag in a chat flow's document, in fields at the top level and below `data`. */
export const flowWithTagMerged = (document: unknown, merge: TagMerge): unknown =>
  map(document, (part) => {
    const { data } = part
    const fields = isRecord(data) ? { ...part, ...data } : part
    const change = (one: Record<string, unknown>) => {
      if (part['type'] === 'TagField' && 'tag' in one) return { ...one, tag: inList([one['tag']], merge)[0] }
      return fields['on'] === 'tags' ? changeLists(one, ['condition', 'values'], merge) : one
    }
    const changed = change(part)
    return isRecord(data) ? { ...changed, data: change(data) } : changed
  })

const changeLists = (part: Record<string, unknown>, names: readonly string[], merge: TagMerge) =>
  Object.fromEntries(
    Object.entries(part).map(([key, list]) => [
      key,
      names.includes(key) && Array.isArray(list) ? inList(list, merge) : list,
    ]),
  )
