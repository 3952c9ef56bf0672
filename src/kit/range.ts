/** The names in an address of the two ends of a range. */
export const rangeOf = (key: string): readonly [from: string, to: string] => [`${key}From`, `${key}To`]
