/** A name as it is read here: what Go writes as `stanzaID`, `URL` or `Connected` is `stanzaId`, `url` and `connected`. */
const spelled = (name: string): string => {
  if (/^[A-Z0-9]+$/.test(name)) return name.toLowerCase()
  return name
    .replace(/^[A-Z]+(?=[A-Z][a-z])/, (letters) => letters.toLowerCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/([A-Z])([A-Z]+)(?=\d*$)/, (_, first: string, rest: string) => first + rest.toLowerCase())
}

/** What a gateway written in Go says, with the names of everything as they are read here, whichever of its spellings it uses. */
export function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [spelled(name), respelled(one)]))
}
