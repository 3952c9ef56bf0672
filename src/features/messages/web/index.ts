/** The emoji of the system, as the composer offers them. */
export const loadEmoji = async () => (await import('./composer/Emoji.tsx')).Emoji

/** As how many text messages a text goes. */
export const loadSmsParts = async () => (await import('./composer/SmsParts.tsx')).SmsParts
