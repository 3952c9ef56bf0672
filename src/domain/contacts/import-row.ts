import { isKeyOf } from '../keys.ts'
import { pastedNumber } from '../phone/pasted.ts'
import { withoutEnd } from '../text.ts'
import { CONTACT_FIELDS, type ColumnUse, type ContactField, isShared, ownFieldOf, rankOf } from './columns.ts'

/** Texts of an import row as written in the file, `own` by custom field id; empty cells are missing. */
export type RowTexts = Partial<Record<ContactField, string>> & {
  readonly extra: Readonly<Record<string, string>>
  readonly own: Readonly<Record<number, string>>
  /** Names of tags, each once. */
  readonly tags: readonly string[]
}

/** Separator that Google writes between the values of one cell. */
const BETWEEN = ' ::: '
/** Titles of further numbers and e-mails whose columns have no display name. */
const SHARED = { number: 'Telefone', email: 'E-mail' } as const

/**
 * Maps the cells of a row to the uses of their columns; empty cells are skipped. Further numbers and e-mails become extra
 * fields.
 */
export function textsOf(
  cells: readonly string[],
  columns: readonly { readonly title: string; readonly use: ColumnUse }[],
): RowTexts {
  const texts: Partial<Record<ContactField, string>> = {}
  const extra: Record<string, string> = {}
  const own: Record<number, string> = {}
  let tags: string[] = []
  const shared: { title: string; use: 'number' | 'email'; text: string }[] = []
  columns.forEach(({ title, use }, at) => {
    // Spreadsheets write an apostrophe before a text that must not run as a formula.
    const text = (cells[at] ?? '').trim().replace(/^'(?=[=+\-@])/, '')
    if (text === '' || use === null) return
    const fieldId = ownFieldOf(use)
    if (fieldId !== null) own[fieldId] = text
    else if (isShared(use)) shared.push(...text.split(BETWEEN).map((one) => ({ title, use, text: one.trim() })))
    else if (use === 'extra') extra[title] = text
    else if (use === 'tags') tags = tagNames(text)
    else if (isKeyOf(CONTACT_FIELDS, use)) texts[use] = text
  })
  const ranked = shared.filter(({ text }) => text !== '').sort((a, b) => rankOf(a.title) - rankOf(b.title))
  for (const { title, use, text } of ranked) {
    if (texts[use] === undefined) texts[use] = text
    else if (texts[use] !== text) extra[freeTitle(/\bvalue$/i.test(title) ? SHARED[use] : title, extra)] = text
  }
  // Beside a last name, the name is the first name.
  if (texts.name && texts.lastName && !texts.firstName && !hasWord(texts.name, texts.lastName)) {
    texts.firstName = texts.name
    texts.name = `${texts.name} ${texts.lastName}`
  }
  texts.name ??= [texts.firstName, texts.lastName].filter(Boolean).join(' ') || undefined
  if (texts.number === undefined) texts.name ??= texts.businessName
  return { ...texts, extra, own, tags }
}

const hasWord = (text: string, word: string): boolean => ` ${text.toLowerCase()} `.includes(` ${word.toLowerCase()} `)

// Google marks its own groups with a star; "* myContacts" contains everyone.
const tagNames = (text: string): string[] => {
  const names = text.split(/:::|[,;|\n]/).map((name) => name.replace(/^[\s*]+/, '').trim())
  return [...new Set(names.filter((name) => name !== '' && name !== 'myContacts'))]
}

/** Returns the first unused title: "Telefone", "Telefone 2". */
function freeTitle(title: string, extra: Readonly<Record<string, string>>): string {
  for (let at = 1; ; at++) {
    const free = at === 1 ? title : `${title} ${at}`
    if (!(free in extra)) return free
  }
}

/** Returns the problem of a row that cannot be imported at all; null if it can be read. */
export function rowProblem(cells: readonly string[], width: number): string | null {
  if (cells.slice(width).some((cell) => cell.trim() !== ''))
    return 'A linha tem mais colunas que o cabeçalho: falta uma aspa, ou sobra um separador.'
  const all = cells.join('')
  if (all.includes('\uFFFD')) return 'Há letras que não puderam ser lidas; salve o arquivo em UTF-8.'
  if (/[\u0000-\u0008\u000e-\u001f]/.test(all)) return 'Há caracteres que não são de texto.'
  return null
}

/** Normalizes a phone number that spreadsheets or channels have altered. */
export const numberText = (text: string): string =>
  pastedNumber(text)
    .replace(/\.0$/, '')
    .replace(/@(c\.us|s\.whatsapp\.net)$/, '')

/** Returns why a text is not a number, as a hint for correcting it. */
export function numberProblem(text: string): string {
  if (/^\d[.,]?\d*e\+?\d+$/i.test(text)) return 'a planilha o abreviou; formate a coluna como texto.'
  const between = withoutEnd(text, /\D/).replace(/^\D+/, '')
  if (/[/;,|]|\bou\b|\be\b/.test(between)) return 'há mais de um; deixe um por linha.'
  const digits = text.replace(/\D/g, '')
  if (digits === '') return 'não há algarismos.'
  if (digits.length < 10) return 'faltam algarismos; informe o DDD, como (19) 99812-4407.'
  return 'não existe; confira o DDD e os algarismos, como (19) 99812-4407.'
}

/** Formats a birthday without year (`--03-14`, year 1604 or 0000) as `14/03`; null for any other text. */
export function dayWithoutYear(text: string): string | null {
  const [, month, day] = /^(?:--|(?:1604|0000)-?)(\d{2})-?(\d{2})(?:T.*)?$/.exec(text) ?? []
  if (month && day) return `${day}/${month}`
  const [, ownDay, ownMonth] = /^(\d{1,2})[/.-](\d{1,2})$/.exec(text) ?? []
  return ownDay && ownMonth ? `${ownDay.padStart(2, '0')}/${ownMonth.padStart(2, '0')}` : null
}

/** Parses a date (14/03/1968, 14-3-68, 1968-03-14) to `YYYY-MM-DD`; null if invalid. `today` is a day. */
export function readDay(text: string, today: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text)
  const local = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?: \d{1,2}:\d{2}.*)?$/.exec(text)
  const [year, month, day] = iso ? iso.slice(1) : local ? [local[3], local[2], local[1]] : []
  if (!year || !month || !day) return null
  const whole = year.length === 4 ? Number(year) : inThePast(Number(year), Number(today.slice(0, 4)))
  const date = new Date(Date.UTC(whole, Number(month) - 1, Number(day)))
  const same = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && whole >= 1900
  return same ? date.toISOString().slice(0, 10) : null
}

const inThePast = (year: number, now: number): number => {
  const century = now - (now % 100)
  return century + year > now ? century - 100 + year : century + year
}

/** Prefixes a sentence of the import report with the field's label. */
export const about = (field: ContactField, sentence: string): string => `${CONTACT_FIELDS[field].label}: ${sentence}`
