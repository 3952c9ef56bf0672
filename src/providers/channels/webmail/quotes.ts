import { itemAt } from '#domain/present.ts'

/** Text of a mail, and the quotation below it ('' if none). */
type Folded = { readonly text: string; readonly quoted: string }

const MOST_ATTRIBUTION = 4
const isQuoted = (row: string): boolean => /^\s*>/.test(row)
const isEmpty = (row: string): boolean => row.trim() === ''

/** Lines with which mail programs in common languages introduce a quotation, broken over up to four lines. */
const ATTRIBUTION =
  /^(?:>\s{0,9})?(?:(?:em|no dia|a)\s.{4,200}?\s(?:escreveu|enviou)|on\s.{4,200}?\swrote|el\s.{4,200}?\sescribi[oó]|le\s.{4,200}?\sa écrit|am\s.{4,200}?\sschrieb\b.{0,120}|il\s.{4,200}?\sha scritto|.{1,120}<[^<>\s@]{1,64}@[^<>\s]{1,190}>\s(?:escreveu|wrote|escribi[oó])(?:\s.{0,60})?)\s{0,9}:$/i
const ORIGINAL =
  /^\s*[-_*]{2,}\s*(mensagem original|original message|mensaje original|message d'origine|ursprüngliche nachricht|messaggio originale)\s*[-_*]{2,}\s*$/i
const FORWARDED =
  /^\s*[-_*]{2,}\s*(mensagem encaminhada|forwarded message|mensaje reenviado|in[ií]cio da mensagem (reenviada|encaminhada)|weitergeleitete nachricht)\b|^\s*begin forwarded message\s*:|^\s*in[ií]cio da mensagem (reenviada|encaminhada)\s*:/i
const FROM = /^\s*\*?(de|from|von|da)\s*:\s*\S/i
const SENT = /^\s*\*?(enviad[oa]( em)?|sent|data|date|enviado el|gesendet|fecha)\s*:\s*\S/i
const TO_OR_SUBJECT = /^\s*\*?(para|to|assunto|subject|asunto|an|betreff|cc)\s*:/i
/** Signs of a mail header that other lists of lines lack. */
const MAILS_OWN = /@|^[ \t\u00a0]*\*?(assunto|subject|asunto|betreff)\s*:/im
const MOMENT = /\d:\d\d|\b20\d\d\b/
const RULE = /^\s*_{10,}\s*$/

/**
 * Splits off the quotation below a mail's text. Text that is more than a repetition is kept: answers between quoted lines,
 * forwarded mails, and mails with nothing else. `isAnswer`: it answers another mail.
 */
export function foldQuotes(given: string, isAnswer = false): Folded {
  const rows = given.replace(/\r\n?/g, '\n').split('\n')
  const cut = cutOf(rows, isAnswer)
  if (cut === null) return { text: trimmed(rows), quoted: '' }
  const text = trimmed(rows.slice(0, cut))
  return text === '' ? { text: trimmed(rows), quoted: '' } : { text, quoted: trimmed(rows.slice(cut)) }
}

const trimmed = (rows: readonly string[]): string =>
  rows
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd()

/** Returns the index of the line at which the quotation begins; null if there is none. */
function cutOf(rows: readonly string[], isAnswer: boolean): number | null {
  for (let at = 0; at < rows.length; at++) {
    if (FORWARDED.test(itemAt(rows, at))) return null
    if (ORIGINAL.test(itemAt(rows, at))) return at
    if (isHeaderBlock(rows, at, isAnswer)) return at > 0 && RULE.test(itemAt(rows, at - 1)) ? at - 1 : at
    const start = attributionUpTo(rows, at)
    if (start === null) continue
    // Answered between the quoted lines: the reader needs both.
    return isAnsweredWithin(rows.slice(at + 1)) ? null : start
  }
  return trailingQuote(rows)
}

/** Returns the index at which an introduction begins that ends at this line; null if none does. */
function attributionUpTo(rows: readonly string[], at: number): number | null {
  if (!itemAt(rows, at).trimEnd().endsWith(':')) return null
  for (let start = at; start >= 0 && at - start < MOST_ATTRIBUTION; start--) {
    if (isEmpty(itemAt(rows, start))) return null
    const part = rows.slice(start, at + 1).map((row) => row.trim())
    if (ATTRIBUTION.test(part.join(' '))) return start
  }
  return null
}

/**
 * Whether a quoted mail header begins at a line, rather than similar lines of the author (from and to of a freight): it has
 * an address or a subject, is below a rule, or, in an answer, has a time or a year.
 */
function isHeaderBlock(rows: readonly string[], at: number, isAnswer: boolean): boolean {
  if (!FROM.test(itemAt(rows, at))) return false
  const next = rows.slice(at + 1, at + 6)
  const end = next.findIndex(isEmpty)
  const block = [itemAt(rows, at), ...(end < 0 ? next : next.slice(0, end))].join('\n')
  if (!next.some((row) => SENT.test(row)) || !next.some((row) => TO_OR_SUBJECT.test(row))) return false
  if (at > 0 && RULE.test(itemAt(rows, at - 1))) return true
  return MAILS_OWN.test(block) || (isAnswer && MOMENT.test(block))
}

function isAnsweredWithin(rows: readonly string[]): boolean {
  const first = rows.findIndex(isQuoted)
  return (
    first >= 0 && rows.slice(first).some((row) => !isQuoted(row) && !isEmpty(row) && !/^\s*(--|_{2,})\s*$/.test(row))
  )
}

/** Returns the index at which the final quoted lines without an introduction begin; null if there are none. */
function trailingQuote(rows: readonly string[]): number | null {
  let at = rows.length
  while (at > 0 && (isQuoted(itemAt(rows, at - 1)) || isEmpty(itemAt(rows, at - 1)))) at--
  const count = rows.slice(at).filter(isQuoted).length
  const isAlone = !rows.slice(0, at).some(isQuoted)
  return count > 0 && isAlone ? at : null
}
