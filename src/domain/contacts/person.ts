/**
 * What is known of a contact, key by key, as texts (empty: nothing): its fields, and one key for each tag, wallet and
 * custom field that it has.
 */
export type Facts = Readonly<Record<string, string>>

/** For fields in which two contacts differ: whose value the person shows, the first one's (`a`) or the other one's (`b`). */
export type Keep = Readonly<Record<string, 'a' | 'b'>>

/** A contact that became part of another, in the order of merges: what it shows itself, and what was chosen. */
export type Joined = { readonly mergeId: number; readonly keep: Keep; readonly shown: Facts }

/** An entry of a contact's extra information, as it is stored. */
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

/** The state of a contact that was part of no merge until now. */
export const stateOfOne = (facts: Facts): MergeState => ({ own: facts, shown: facts, edits: {} })

/** What was changed since the last look is the contact's own from now on; no merge up to `lastMerge` changes it any more. */
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

/** The state in which one key has taken another one's place, as for two tags that became one. */
export const withKeyRenamed = ({ own, shown, edits }: MergeState, from: string, into: string): MergeState => ({
  own: renamed(own, from, into),
  shown: renamed(shown, from, into),
  edits: renamed(edits, from, into),
})

// Where both are there, the one that says something (`true`), and the later edit.
function renamed<V extends string | number>(of: Readonly<Record<string, V>>, from: string, into: string) {
  const { [from]: value, ...others } = of
  const known = others[into]
  return value === undefined ? of : { ...others, [into]: known !== undefined && known > value ? known : value }
}

/**
 * What a person shows: the contact's own facts; those that it has not from the contacts that joined it, the earlier first;
 * and those that were chosen of the other when they were merged. What was written since a merge stays as it was written.
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

/** The keys in which two contacts have something different, in the order of `order`. */
export const conflictsOf = <K extends string>(a: Facts, b: Facts, order: readonly K[]): K[] =>
  order.filter((key) => (a[key] ?? '') !== '' && (b[key] ?? '') !== '' && a[key] !== b[key])

const keysOf = (...facts: readonly Facts[]): string[] => [...new Set(facts.flatMap((one) => Object.keys(one)))]

/**
 * Returns which contact of a person keeps which number: the first has the number that is shown, its former holder gets
 * the first one's, others keep theirs; so all numbers stay with the person.
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
