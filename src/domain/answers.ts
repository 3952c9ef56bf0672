import { withoutEnd } from './text.ts'

/** Maximum length of an answer that is searched for a number or option. */
export const LONGEST_ANSWER = 300

/** Spelled-out numbers. */
export const SPELLED_NUMBERS: ReadonlyMap<string, number> = new Map(
  ['zero', 'um', 'dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez', 'onze', 'doze']
    .map((word, number): [string, number] => [word, number])
    .concat([
      ['uma', 1],
      ['duas', 2],
    ]),
)

/** Words that may accompany an option's number without changing its meaning. */
const FILLERS = new Set(
  (
    'a as o os e eh da de do na no n num numero nro opcao item tecla letra digito quero queria gostaria escolho escolhi prefiro ' +
    'seria ser pode vou com por favor pfv pf pls obrigado obrigada obg grato grata sim ok bom boa dia tarde noite oi ola'
  ).split(' '),
)

/** Name line that other programs write above each of their messages. */
const SIGNATURE = /^\s{0,9}\*[^*\n]{1,80}\*:?[ \t]{0,9}\n/

/**
 * Normalizes an answer for comparison: without leading signature, accents, keycaps, emphasis marks and final punctuation;
 * lower case, single spaces.
 */
export const foldAnswer = (text: string): string =>
  withoutEnd(
    text
      .replace(SIGNATURE, '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/["'*_~()´`]/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
    /[\s.!,;:]/,
  )

/**
 * Returns the option (from 1) that a customer's answer names: by number among filler words, spelled number, printed row ("2
 * - Exames"), or text; null if none matches.
 */
export function optionNamed(text: string, options: readonly string[]): number | null {
  if (text.length > LONGEST_ANSWER) return null
  const written = foldAnswer(text)
  const [, row, label] = /^0?(\d{1,2}) ?[-–—.:]? ?(\D.*)$/.exec(written) ?? []
  if (row && label && foldAnswer(options[Number(row) - 1] ?? '') === label) return Number(row)
  const own = written === '' ? -1 : options.findIndex((option) => foldAnswer(option) === written)
  if (own >= 0) return own + 1
  const rest = written.split(/[\s,.:;!#–—-]+/).filter((word) => word !== '' && !FILLERS.has(word))
  const [word = ''] = rest
  if (rest.length !== 1) return null
  const number = /^0?\d{1,2}$/.test(word) ? Number(word) : (SPELLED_NUMBERS.get(word) ?? 0)
  return number >= 1 && number <= options.length ? number : null
}
