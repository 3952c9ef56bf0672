import { foldText } from '../flow/fold.ts'
import { withoutEnd } from '../text.ts'

/** Maximum number of closing keywords of a connection. */
const MOST = 20

/** The keywords of a field of several lines, or with commas between them, as they are compared. */
export const closeKeywordsOf = (text: string): readonly string[] =>
  [...new Set(text.split(/[\n,;]/).map(foldText))].filter((keyword) => keyword !== '').slice(0, MOST)

/** Whether a customer's text says nothing but one of these keywords, whatever its case, accents and the marks behind it. */
export const isCloseKeyword = (text: string, keywords: readonly string[]): boolean =>
  keywords.length > 0 && keywords.includes(withoutEnd(foldText(text), /[\s.!?…]/))
