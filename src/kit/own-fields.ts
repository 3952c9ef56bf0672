import { z } from 'zod'
import type { Field } from './fields/kinds.ts'

/** A value of a field of the company's own: of a choice its text, of a day YYYY-MM-DD; null: nothing. */
export const fieldValue = z.union([z.string().max(500, 'Use no máximo 500 caracteres.'), z.number(), z.boolean()])

/** Values of such fields in a form, by field id; null empties one, a field that is left out keeps its value. */
export const fieldValues = z.record(z.string().regex(/^\d{1,15}$/, 'Informe o número do campo.'), fieldValue.nullable())

/** One filter by such a field: `12:value` (of a text its beginning), `12:from..to` of numbers and days. */
export const fieldAsked = z
  .string()
  .max(600)
  .regex(/^\d{1,15}:/, 'Informe o número do campo e o valor.')

/** A field of the company's own, as its values are checked and drawn; `options` are the choices, one a line. */
export type OwnField = {
  readonly id: number
  readonly name: string
  readonly type: 'text' | 'number' | 'date' | 'choice' | 'boolean'
  readonly options: string
  readonly required: boolean
}

/** The fields of the table of such fields; `required` and `inList` say what those two switches do. */
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

/** The choices of a field. */
export const optionsOf = (options: string): string[] => [
  ...new Set(
    options
      .split('\n')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
]

/** A field of the company's own as a field of its kind. */
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
