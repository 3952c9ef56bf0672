/** Maximum length of a message between colleagues, in characters. */
export const MOST_TEXT = 10_000

/** Maximum number of messages forwarded at once. */
export const MOST_FORWARDED = 10
