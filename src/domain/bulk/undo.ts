/** Snapshot of a record for undo. */
export type Image = {
  /** Comparable and restorable values, by field name. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Revision that changes with each edit by a person. */
  readonly revision: number
  /** Text that changes with each automatic change, such as a message. */
  readonly mark: string
  readonly changedBy: number | null
  /** ISO time with the precision of the database. */
  readonly changedAt: string | null
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Whether two snapshots of a record differ in the fields that can be undone. */
export const differs = (before: Image, after: Image): boolean =>
  Object.keys(after.fields).some((name) => !isSame(before.fields[name], after.fields[name]))

/**
 * Returns the values that undo a change: the previous value of every changed field. Null if a user has changed the
 * record since. `loose` fields keep automatic changes made since.
 */
export function takenBack(
  { before, after, now }: { before: Image; after: Image; now: Image },
  loose: readonly string[],
): Record<string, unknown> | null {
  if (now.revision !== after.revision) return null
  const hasMoved = now.mark !== after.mark
  const changed = Object.keys(after.fields).filter((name) => !isSame(before.fields[name], after.fields[name]))
  const own = changed.filter((name) => !(hasMoved && loose.includes(name)))
  if (own.some((name) => !isSame(now.fields[name], after.fields[name]))) return null
  return Object.fromEntries(own.map((name) => [name, before.fields[name] ?? null]))
}
