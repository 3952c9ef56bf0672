/** A text that PostgreSQL can store: NUL characters go, halves of surrogate pairs become U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The first characters of a text, so many at most; no half of one is left at the end. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
