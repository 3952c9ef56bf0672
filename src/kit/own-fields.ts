import { z } from 'zod'
import type { Field } from './fields/kinds.ts'

/** Schema of a custom field's value: of a choice its text, of a day YYYY-MM-DD; null: none. */
export const fieldValue = z.union([z.string().max(500, 'Use no máximo 500 caracteres.'), z.number(), z.boolean()])

/** Schema of custom field values in a form, by field id; null clears one, an omitted field keeps its value. */
export const fieldValues = z.record(z.string().regex(/^\d{1,15}$/, 'Informe o número do campo.'), fieldValue.nullable())

/** Schema of a filter by a custom field: `12:value` (of a text its prefix), `12:from..to` of numbers and days. */
export const fieldAsked = z
  .string()
  .max(600)
  .regex(/^\d{1,15}:/, 'Informe o número do campo e o valor.')

/** Custom field, as needed to validate and show its values; `options` are the choices, one per line. */
export type OwnField = {
  readonly id: number
  readonly name: string
  readonly type: 'text' | 'number' | 'date' | 'choice' | 'boolean'
  readonly options: string
  readonly required: boolean
}

/** Returns the fields of a table of custom fields; `required` and `inList` are the texts of those two switches. */
export const ownFieldTable = ({ required, inList }: { readonly required: string; readonly inList: string }) =>
  ({
    name: { label: 'Nome do campo', kind: 'text', required: true, max: 60 },
    type: {
      label: 'Tipo',
      kind: 'choice',
      required: true,
      default: 'text',
      options: { text: 'Texto', number: 'Número', date: 'Data', choice: 'Escolha', boolean: 'Sim ou não' },
    },
    options: { label: 'Opções', hint: 'Uma por linha; só para o tipo Escolha.', kind: 'longtext', inList: false },
    required: { label: required, kind: 'boolean', default: false, inList: true },
    inList: { label: inList, kind: 'boolean', default: true, column: 'in_list', inList: true },
    position: { label: 'Posição', kind: 'order', inList: true },
  }) as const

/** Returns the choices of a custom field. */
export const optionsOf = (options: string): string[] => [
  ...new Set(
    options
      .split('\n')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
]

/** Converts a custom field to a field of its kind. */
export function fieldOf({
  name: label,
  type: kind,
  options,
  required,
}: OwnField): Extract<Field, { kind: OwnField['type'] }> {
  if (kind === 'choice')
    return { kind, label, required, options: Object.fromEntries(optionsOf(options).map((one) => [one, one])) }
  return kind === 'text' ? { kind, label, required, max: 500 } : { kind, label, required }
}
