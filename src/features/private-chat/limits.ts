/** The longest text of a message between colleagues, in characters. */
export const MOST_TEXT = 10_000
