/** A text as searches compare it: lower case, without accents. Needs no tables of a collation, which would have to be loaded. */
export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
