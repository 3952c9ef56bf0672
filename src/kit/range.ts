/** Returns the names of the two ends of a range in an address. */
export const rangeOf = (key: string): readonly [from: string, to: string] => [`${key}From`, `${key}To`]
