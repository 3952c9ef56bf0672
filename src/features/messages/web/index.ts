/** Loads the composer's emoji picker. */
export const loadEmoji = async () => (await import('./composer/Emoji.tsx')).Emoji

/** Loads the counter of SMS parts of a text. */
export const loadSmsParts = async () => (await import('./composer/SmsParts.tsx')).SmsParts
