/** Whether a text is a word, whatever its case and what stands around it. */
export const isWord = (text: string, word: unknown): boolean => {
  const wanted = String(word ?? '')
    .trim()
    .toLowerCase()
  return wanted !== '' && text.trim().toLowerCase() === wanted
}
