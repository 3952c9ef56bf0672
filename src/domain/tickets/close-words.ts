import { foldText } from '../flow/match.ts'

/** So many closing words a connection may have. */
const MOST = 20

/** The words of a field of several lines, or with commas between them, as they are compared. */
export const closeWordsOf = (text: string): readonly string[] =>
  [...new Set(text.split(/[\n,;]/).map(foldText))].filter((word) => word !== '').slice(0, MOST)

/** Whether a customer's text says nothing but one of these words, whatever its case, accents and the marks behind it. */
export const isCloseWord = (text: string, words: readonly string[]): boolean =>
  words.includes(foldText(text).replace(/[\s.!?…]+$/, ''))
