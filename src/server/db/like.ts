/** The pattern of `like` for a text that contains these words as they were typed: they hold no wildcards. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
