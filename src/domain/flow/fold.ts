/** Normalizes text for comparison: trimmed, lower case, without accents. */
export const foldText = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
