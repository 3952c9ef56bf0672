import { memberOf } from '#domain/present.ts'
import { type Field, kindOf } from '#kit/fields/kinds.ts'
import type { Resource } from '#kit/resource.ts'
import { folded } from '../fold.ts'
import { errorsByField, type FieldErrors } from '../ui/inputs/use-form.ts'
import { readCsv } from './csv.ts'

/** Line of an imported file: its number in the file, its cells, the row that it would make, and problems by field. */
export type Line = {
  readonly number: number
  readonly cells: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
  readonly errors: FieldErrors
}

/** Contents of a file: its header, the columns that match no field, and its lines. */
export type Lines = {
  readonly header: readonly string[]
  readonly unknown: readonly string[]
  readonly lines: readonly Line[]
}

/** Names of rows that a field refers to, by field. */
export type Names = Readonly<Record<string, readonly { id: number; name: string }[]>>

/**
 * Reads a file as rows of a plain table: a column belongs to the field of its label or name, a value is read as its kind
 * writes it, and each line is checked as the server will.
 */
export function readLines({ spec, ops }: Resource, text: string, names: Names, zone: string): Lines {
  const [header = [], ...rest] = readCsv(text)
  const keys = header.map((title) => {
    const wanted = folded(title.trim())
    return Object.entries(spec.fields).find(([key, { label }]) => [folded(key), folded(label)].includes(wanted))?.[0]
  })
  const valueAt = (key: string, cell: string): unknown => {
    const field: Field = memberOf(spec.fields, key)
    if (field.kind !== 'reference') return kindOf(field).fromText(cell, field, { zone })
    if (cell.trim() === '') return null
    return names[key]?.find(({ name }) => folded(name) === folded(cell.trim()))?.id ?? cell
  }
  const lines = rest.map((cells, index) => {
    const body = Object.fromEntries(keys.flatMap((key, at) => (key ? [[key, valueAt(key, cells[at] ?? '')]] : [])))
    const issues = ops.create.body.safeParse(body).error?.issues ?? []
    return { number: index + 2, cells, body, errors: errorsByField(issues, spec.fields) }
  })
  return { header, unknown: header.filter((_, at) => !keys[at]), lines }
}
