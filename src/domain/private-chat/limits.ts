/** The longest text of a message between colleagues, in characters. */
export const MOST_TEXT = 10_000

/** So many messages are passed on at once. */
export const MOST_FORWARDED = 10
