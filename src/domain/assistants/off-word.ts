/** Returns whether a text is that word; case and surrounding spaces do not count. */
export const isWord = (text: string, word: unknown): boolean => {
  const wanted = String(word ?? '')
    .trim()
    .toLowerCase()
  return wanted !== '' && text.trim().toLowerCase() === wanted
}
