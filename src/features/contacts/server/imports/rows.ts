import type { z } from 'zod'
import { CONTACT_FIELDS, type ColumnUse, type ContactField } from '#domain/contacts/columns.ts'
import {
  about,
  dayWithoutYear,
  numberProblem,
  numberText,
  readDay,
  rowProblem,
  textsOf,
} from '#domain/contacts/import-row.ts'
import { withLeadingZeros } from '#domain/documents/documents.ts'
import { isKeyOf } from '#domain/keys.ts'
import { phoneKey } from '#domain/phone/brazil.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { type Field, kindOf, schemaOf } from '#kit/fields/kinds.ts'
import { fieldOf, type OwnField } from '#kit/own-fields.ts'
import type { ReadPhone } from '#server/phone.ts'
import { contactForm } from '../../forms.ts'
import type { FileRow } from './read-file.ts'

/** Content of a line: values as stored, custom fields by id, additional info by title; absent values are missing. */
export type RowContent = Partial<Record<ContactField, string>> & {
  readonly extra: Readonly<Record<string, string>>
  readonly own?: OwnValues
  /** Names of tags to add to the contact. */
  readonly tags?: readonly string[]
}
/** Parsed line: its content, or its problems. */
export type ReadRow = FileRow & ({ readonly content: RowContent } | { readonly problems: readonly string[] })

type OwnValue = string | number | boolean
type OwnValues = Readonly<Record<number, OwnValue>>

/** Fields of a contact by column, as stored; custom ones as `field:12`; `extra_info`, `tags` and `wallets` as lists. */
export type Image = Readonly<Record<string, unknown>>

/** Key of a line's contact: its number, else its e-mail, else its document, else its name. */
export type RowKey = { readonly kind: 'number' | 'email' | 'cpf' | 'name'; readonly value: string }

/** Serialises a key as in `findPersons`; spellings of one number are equal. */
export const textOf = ({ kind, value }: RowKey): string => `${kind} ${kind === 'number' ? phoneKey(value) : value}`

/** Column of a file with its use. */
export type Column = { readonly title: string; readonly use: ColumnUse }

const MOST_EXTRA = 20
const MOST_TAGS = 20
const LONGEST_TAG = 40

/** Input of parsing lines: columns, custom fields and the current day. */
export type Reading = {
  readonly columns: readonly Column[]
  readonly fields: ReadonlyMap<number, OwnField>
  readonly today: string
  readonly readPhone: ReadPhone
}

/** Parses a line with the validation of the contact form. */
export function readRow(source: FileRow, { columns, fields, today, readPhone }: Reading): ReadRow {
  const wrong = rowProblem(source.cells, columns.length)
  if (wrong) return { ...source, problems: [wrong] }
  const { extra: further, own, tags, number: written, birthdayDate: born, ...texts } = textsOf(source.cells, columns)
  const extra = { ...further }
  const problems: string[] = []
  const values: Record<number, OwnValue> = {}
  for (const [id, text] of Object.entries(own)) {
    const field = fields.get(Number(id))
    if (!field) continue
    const { data, error } = readOwn(field, text, today)
    if (error) problems.push(`${field.name}: ${error.issues[0]?.message}`)
    else values[Number(id)] = data
  }
  if (tags.length > MOST_TAGS) problems.push(`Use no máximo ${MOST_TAGS} etiquetas por contato.`)
  for (const name of tags)
    if (name.length > LONGEST_TAG)
      problems.push(`Etiqueta: “${name.slice(0, LONGEST_TAG)}…” tem mais de ${LONGEST_TAG} letras.`)
  const phone = written === undefined ? null : readPhone(numberText(written))
  if (written !== undefined && !phone) problems.push(about('number', numberProblem(written)))
  if (written === undefined && texts.name === undefined) problems.push('Sem nome e sem número.')
  const number = phone?.e164.slice(1)
  const yearless = born === undefined ? null : dayWithoutYear(born)
  if (yearless) extra['Aniversário'] = yearless
  const birthdayDate = born === undefined || yearless ? undefined : (readDay(born, today) ?? born)
  if (birthdayDate !== undefined && /^\d{4}-/.test(birthdayDate) && birthdayDate > today)
    problems.push(about('birthdayDate', 'está no futuro.'))
  const form = {
    ...{ ...texts, name: texts.name ?? formatPhone(number ?? null) ?? '' },
    ...(texts.cpf === undefined ? {} : { cpf: withLeadingZeros(texts.cpf) }),
    ...(birthdayDate === undefined ? {} : { birthdayDate }),
    extraInfo: Object.entries(extra).map(([name, value]) => ({ name, value })),
  }
  if (form.extraInfo.length > MOST_EXTRA) problems.push(`Use no máximo ${MOST_EXTRA} colunas adicionais.`)
  const read = contactForm.safeParse(form)
  for (const { path, message } of read.error?.issues ?? []) {
    const [field, at] = [String(path[0]), Number(path[1] ?? 0)]
    // A missing name or number is already reported.
    if (field === 'name' && texts.name === undefined) continue
    problems.push(
      isKeyOf(CONTACT_FIELDS, field) ? about(field, message) : `${form.extraInfo[at]?.name ?? field}: ${message}`,
    )
  }
  if (problems.length > 0 || !read.data) return { ...source, problems: [...new Set(problems)] }
  const { extraInfo: _, tags: __, wallets: ___, kanban: ____, blocked: _____, name, ...rest } = read.data
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== ''))
  return {
    ...source,
    content: {
      ...{ ...given, ...(texts.name === undefined ? {} : { name }), ...(number ? { number } : {}), extra },
      ...(Object.keys(values).length > 0 ? { own: values } : {}),
      ...(tags.length > 0 ? { tags } : {}),
    },
  }
}

// Requires four-digit years, so that no century is guessed.
function readOwn(field: OwnField, text: string, today: string) {
  const { asField, schema } = filled(field)
  const isDay = field.type === 'date' && /\d{4}/.test(text)
  const value = isDay ? (readDay(text, today) ?? text) : kindOf(asField).fromText(text, asField, { zone: 'UTC' })
  return schema.safeParse(value) as z.ZodSafeParseResult<OwnValue>
}

// Schema of each custom field, created once for all lines.
const filledFields = new WeakMap<OwnField, { asField: Field; schema: z.ZodType }>()
function filled(field: OwnField) {
  const asField: Field = { ...fieldOf(field), required: true }
  const made = filledFields.get(field) ?? { asField, schema: schemaOf(asField) }
  filledFields.set(field, made)
  return made
}

/** Returns a line's values that their fields still accept; fields may have changed since the line was parsed. */
export function ownNow(own: OwnValues = {}, fields: ReadonlyMap<number, OwnField>): OwnValues {
  const taken = Object.entries(own).filter(([id, value]) => {
    const field = fields.get(Number(id))
    return field && filled(field).schema.safeParse(value).success
  })
  return Object.fromEntries(taken)
}
