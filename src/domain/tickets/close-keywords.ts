import { foldText } from '../flow/fold.ts'
import { withoutEnd } from '../text.ts'

/** Maximum number of close keywords of a connection. */
const MOST = 20

/** Parses close keywords, separated by lines or commas, and normalizes them for comparison. */
export const closeKeywordsOf = (text: string): readonly string[] =>
  [...new Set(text.split(/[\n,;]/).map(foldText))].filter((keyword) => keyword !== '').slice(0, MOST)

/** Whether a customer's text equals one of the keywords, ignoring case, accents and trailing punctuation. */
export const isCloseKeyword = (text: string, keywords: readonly string[]): boolean =>
  keywords.length > 0 && keywords.includes(withoutEnd(foldText(text), /[\s.!?…]/))
