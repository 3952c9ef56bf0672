/** Whether a text equals the word that ends an assistant, ignoring case and surrounding spaces. */
export const isWord = (text: string, word: unknown): boolean => {
  const wanted = String(word ?? '')
    .trim()
    .toLowerCase()
  return wanted !== '' && text.trim().toLowerCase() === wanted
}
