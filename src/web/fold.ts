/** Normalizes a text for searches: lower case, without accents. Needs no collation tables, which would have to be loaded. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
