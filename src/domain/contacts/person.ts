/** Values of a contact by key, as texts (empty: none): its fields, and one key per tag, wallet and custom field. */
export type Facts = Readonly<Record<string, string>>

/** Choices for conflicting fields of two contacts: show the first one's value (`a`) or the other's (`b`). */
export type Keep = Readonly<Record<string, 'a' | 'b'>>

/** Contact that was merged into another, in merge order, with its shown values and the choices made. */
export type Joined = { readonly mergeId: number; readonly keep: Keep; readonly shown: Facts }

/** Stored entry of a contact's extra information. */
export type ExtraEntry = { id: string | number; name: string; value: string }

/**
 * State of a merged contact: its own values, the values shown at the last merge, and the merge after which a key was
 * edited.
 */
export type MergeState = {
  readonly own: Facts
  readonly shown: Facts
  readonly edits: Readonly<Record<string, number>>
}

/** Returns the state of a contact without merges. */
export const stateOfOne = (facts: Facts): MergeState => ({ own: facts, shown: facts, edits: {} })

/** Records values changed since the last check as the contact's own; merges up to `lastMerge` do not change them any more. */
export function noticeEdits(state: MergeState, now: Facts, lastMerge: number): MergeState {
  const own = { ...state.own }
  const edits = { ...state.edits }
  for (const key of keysOf(now, state.shown)) {
    const value = now[key] ?? ''
    if (value === (state.shown[key] ?? '')) continue
    own[key] = value
    edits[key] = lastMerge
  }
  return { own, shown: now, edits }
}

/** Returns the state with a key renamed, e.g. for two merged tags. */
export const withKeyRenamed = ({ own, shown, edits }: MergeState, from: string, into: string): MergeState => ({
  own: renamed(own, from, into),
  shown: renamed(shown, from, into),
  edits: renamed(edits, from, into),
})

// If both keys exist: the value that is set (`true`), and the later edit.
function renamed<V extends string | number>(of: Readonly<Record<string, V>>, from: string, into: string) {
  const { [from]: value, ...others } = of
  const known = others[into]
  return value === undefined ? of : { ...others, [into]: known !== undefined && known > value ? known : value }
}

/**
 * Returns the values that a merged person shows: the contact's own; missing ones from the joined contacts, earliest first;
 * and the values chosen at a merge. Later edits are not overridden.
 */
export function shownOf({ own, edits }: Pick<MergeState, 'own' | 'edits'>, joined: readonly Joined[]): Facts {
  const shown: Record<string, string> = { ...own }
  for (const { mergeId, keep, shown: other } of joined)
    for (const [key, value] of Object.entries(other)) {
      if (value === '' || (edits[key] ?? 0) >= mergeId) continue
      if (keep[key] === 'b' || (shown[key] ?? '') === '') shown[key] = value
    }
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== ''))
}

/** Returns the keys with different values in two contacts, in the order of `order`. */
export const conflictsOf = <K extends string>(a: Facts, b: Facts, order: readonly K[]): K[] =>
  order.filter((key) => (a[key] ?? '') !== '' && (b[key] ?? '') !== '' && a[key] !== b[key])

const keysOf = (...facts: readonly Facts[]): string[] => [...new Set(facts.flatMap((one) => Object.keys(one)))]

/**
 * Assigns a person's numbers to its contacts: the first gets the shown number, that number's former holder gets the first
 * one's, others are unchanged; all numbers remain with the person.
 */
export function numbersOf(
  members: readonly { readonly id: number; readonly own: string }[],
  shown: string,
): Map<number, string> {
  const numbers = new Map(members.map(({ id, own }) => [id, own]))
  const [first] = members
  const owner = members.find(({ own }) => own !== '' && own === shown)
  if (first && owner && owner.id !== first.id) numbers.set(owner.id, first.own)
  if (first) numbers.set(first.id, shown)
  return numbers
}
