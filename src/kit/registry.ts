/** Names in all parts of a registry: `NamesOf<{ teams: { a: …; b: … }; users: { c: … } }>` is `'a' | 'b' | 'c'`. */
export type NamesOf<Parts> = { [Owner in keyof Parts]: keyof Parts[Owner] }[keyof Parts] & string

/**
 * Combines the parts of many owners into one table, beginning with the platform's own. `add` adds a feature's part, is
 * idempotent, and fails if a name already has another meaning.
 */
export function registry<Name extends string, Spec extends object>(what: string, own: Readonly<Record<string, Spec>>) {
  const table: Record<string, Spec> = Object.create(null)
  const add = (part: Readonly<Record<string, Spec>> = {}): void => {
    for (const [name, spec] of Object.entries(part)) {
      if ((table[name] ?? spec) !== spec) throw new Error(`two features claim the ${what} ${name}`)
      table[name] = spec
    }
  }
  add(own)
  return { table: table as Readonly<Record<Name, Spec>>, add }
}
