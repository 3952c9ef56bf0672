/** Encodings of text files. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'cp850', 'macintosh', 'utf-16le', 'utf-16be'] as const

/** Encoding of a text file. */
export type Encoding = (typeof ENCODINGS)[number]

/** Encodings that neither a byte order mark nor rules identify, the likeliest first. */
export const GUESSED = ['windows-1252', 'cp850', 'macintosh', 'utf-8'] as const satisfies readonly Encoding[]

/** Plausibility of a word: Portuguese spelling, possibly a foreign name, or neither. */
const [CERTAIN, POSSIBLE, SENSELESS] = [1, 0.4, 0]

const MARKS_BEFORE = /^[“‘«–—•…€]{1,4}/
const MARKS_AFTER = /[”’»–—•…™®©°ºª]{1,4}$/
const BETWEEN = /[’–—…\u00a0]/
const CASES = [/^\p{Lu}?\p{Ll}*$/u, /^\p{Lu}+$/u]
const PORTUGUESE = /^[a-záàâãéêíóôõúç]*$/
const FOREIGN = /^[a-záàâãéêíóôõúçñäëïöüèìòùîûåøæœßýÿšž]*$/
/** Patterns that no Portuguese word has: ç, ã or õ in impossible places, a vowel with and without an accent. */
const UNHEARD = /^ç|ç(?![aouáàâãóôõú])|ã(?![oeiszn]|$)|õ(?![ez])|áa|áo|âa|óo|úu/
const GRAVE = /^(às?|àquel[ae]s?|àquilo)$/

/** Returns the plausibility of a word with characters beyond ASCII, from 0 to 1. */
export function likeliness(word: string): number {
  const core = word.replace(MARKS_BEFORE, '').replace(MARKS_AFTER, '')
  // Marks alone, or around ASCII, are no evidence.
  const parts = core.split(BETWEEN).filter((part) => /[^ -~]/.test(part))
  return parts.reduce((least, part) => Math.min(least, ofPart(part)), parts.length > 0 ? CERTAIN : POSSIBLE)
}

function ofPart(part: string): number {
  if (!CASES.some((one) => one.test(part))) return SENSELESS
  const lower = part.toLowerCase()
  const beyond = lower.replace(/[a-z]/g, '').length
  if (!FOREIGN.test(lower) || (lower.length > 3 && beyond > lower.length / 2)) return SENSELESS
  if (!PORTUGUESE.test(lower) || (lower.includes('à') && !GRAVE.test(lower))) return POSSIBLE
  const accents = lower.match(/[áéíóúâêô]/g)?.length ?? 0
  return accents > 1 || UNHEARD.test(lower) ? SENSELESS : CERTAIN
}

/** Result of `judgeEncoding`: the candidate encodings of a file, the most likely first. */
export type Judgement = {
  readonly best: Encoding
  readonly isDoubtful: boolean
  readonly candidates: readonly Encoding[]
}

/** Guesses the encoding of a file that is not valid UTF-8, by its words beyond ASCII, decoded by `decode`. */
export function judgeEncoding(
  terms: readonly string[],
  decode: (term: string, encoding: Encoding) => string,
): Judgement {
  const scores = GUESSED.map((encoding) => ({
    encoding,
    score: terms.reduce((sum, term) => sum + likeliness(decode(term, encoding)), 0),
  })).toSorted((one, other) => other.score - one.score)
  const [best, second] = [scores[0]!, scores[1]!]
  const isClose = second.score > 0 && best.score - second.score < Math.max(0.5, terms.length * 0.2)
  const isPoor = best.score < terms.length * 0.4
  return {
    best: best.encoding,
    // Invalid UTF-8 is partly in another encoding.
    isDoubtful: isClose || isPoor || best.encoding === 'utf-8',
    candidates: scores.flatMap(({ encoding, score }) =>
      score > 0 || (isPoor && encoding !== 'utf-8') ? [encoding] : [],
    ),
  }
}
