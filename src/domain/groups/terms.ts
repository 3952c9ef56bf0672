/** Normalizes text for word search: lower case, no accents, single spaces between words and at both ends. */
const spaced = (text: string): string =>
  ` ${text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Returns the terms (words or phrases) that a text contains as whole words, ignoring case, accents and punctuation. */
export function termsIn<T extends { readonly value: string }>(text: string, terms: readonly T[]): T[] {
  const within = spaced(text)
  return terms.filter(({ value }) => {
    const word = spaced(value)
    return word.trim() !== '' && within.includes(word)
  })
}

/** Whether a text contains a letter or digit that can be searched for. */
export const hasLetter = (text: string): boolean => spaced(text).trim() !== ''
