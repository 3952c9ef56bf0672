import { withoutEnd } from '../text.ts'
/**
 * What a customer wrote while a rating is asked of them: a rating from 0 to 5; an attempt at one that cannot be read; or
 * something else, which nobody may take for an answer.
 */
export type Reading =
  | { readonly kind: 'rating'; readonly rating: number }
  | { readonly kind: 'attempt' }
  | { readonly kind: 'other' }

const NUMBERS: Readonly<Record<string, number>> = {
  zero: 0,
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
}
/** Words that may stand beside the number without changing what is meant. */
const FILLERS = new Set(
  'a ao acho avaliacao certeza com dou e estrela estrelas eu foi merece minha nota o ponto pontos que ser vai voto'.split(
    ' ',
  ),
)
const GREETINGS = new Set(['oi', 'ola', 'alo', 'opa'])
const LONGEST = 40
const LONGEST_WORD = 20

/** Text without accents, keycaps, marks of emphasis and what ends a sentence, in lower case, with single spaces. */
const fold = (text: string): string =>
  withoutEnd(
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/["'*_~()´`]/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
    /[\s.!,;:]/,
  )

/** Reads a customer's text; `labels` are the names of the ratings 0 to 5, which may be written out as well. */
export function readAnswer(text: string, labels: readonly string[]): Reading {
  const written = fold(text)
  if (written === '' || written.length > LONGEST || written.includes('?')) return { kind: 'other' }
  const rating = named(written, labels) ?? stars(written) ?? numbered(written, labels)
  if (rating !== null) return rating <= 5 && Number.isInteger(rating) ? { kind: 'rating', rating } : { kind: 'attempt' }
  return isOneWord(written) ? { kind: 'attempt' } : { kind: 'other' }
}

function named(written: string, labels: readonly string[]): number | null {
  const found = labels.flatMap((label, rating) => (fold(label) === written ? [rating] : []))
  return found.length === 1 ? (found[0] as number) : null
}

/** Only stars: the filled ones count; more than five are no rating. */
function stars(written: string): number | null {
  if (!/^[⭐🌟★☆ ]+$/u.test(written)) return null
  return [...written].filter((star) => '⭐🌟★'.includes(star)).length
}

/** A number among words that say nothing else, "4 de 5", or a line of the question itself ("5 - Incrível"). */
function numbered(written: string, labels: readonly string[]): number | null {
  const [, line, name] = /^([0-5]) ?[-–—.):]? ?(\D+)$/.exec(written) ?? []
  if (line && name && fold(labels[Number(line)] ?? '') === name.trim()) return Number(line)
  const plain = written.replace(/(?<=^|\s)(\S+) ?(?:\/|de) ?(?:5|cinco)$/, '$1')
  const rest = plain.split(/[\s:]+/).filter((word) => !FILLERS.has(word))
  const [word = ''] = rest
  if (rest.length !== 1) return null
  if (Object.hasOwn(NUMBERS, word)) return NUMBERS[word] as number
  // Longer ones are numbers of something: an order, a telephone.
  if (!/^[-+]?\d{1,3}(?:[.,]\d{1,2})?$/.test(word)) return null
  return /^\d$/.test(word) ? Number(word) : Number.POSITIVE_INFINITY
}

/** One short word or a few emoji, and no greeting: too little to be a new matter. */
const isOneWord = (written: string): boolean =>
  written.length <= LONGEST_WORD && !/[\s\d/@]/.test(written) && !GREETINGS.has(written)
