import { z } from 'zod'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** Number field; `whole` permits no fractions, `isName` marks identifiers (a port), which are shown without separators. */
export type NumberField = FieldOf<
  'number',
  number | null,
  { readonly min?: number; readonly max?: number; readonly whole?: boolean; readonly isName?: true }
>

const LARGEST = 1_000_000_000_000

/** Parses a number as written in Brazil (“1.234,5”); returns any other text unchanged. */
export const numberOf = (text: string): unknown => {
  const plain = text
    .trim()
    .replace(/\.(?=\d{3}(\D|$))/g, '')
    .replace(',', '.')
  return plain === '' ? null : /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** Formats a number as written in Brazil, without thousands separators. */
export const numberText = (value: number | null): string => (value === null ? '' : String(value).replace('.', ','))

/** Field kind for numbers between `min` and `max` (default a trillion, either way). */
export const number: FieldKind<NumberField, number | null> = {
  schema: (field) => {
    const { min = -LARGEST, max = LARGEST, whole } = field
    const any = z
      .number({ error: 'Informe um número.' })
      .min(min, `Informe ao menos ${min.toLocaleString('pt-BR')}.`)
      .max(max, `Informe no máximo ${max.toLocaleString('pt-BR')}.`)
    return orNull(whole ? any.int('Informe um número inteiro.') : any, field)
  },
  empty: null,
  column: 'double precision',
  isNumber: true,
  sort: { type: 'float8', last: 'Infinity' },
  filter: 'range',
  samples: ({ min = -LARGEST, max = LARGEST, whole, required }) => ({
    good: [1, 42, 1500, whole ? 7 : 2.5].map((one) => Math.min(max, Math.max(min, one))),
    bad: ['texto', {}, true, max + 1, min - 1, ...(whole ? [1.5] : []), ...(required ? [null] : [])],
  }),
  toText: numberText,
  fromText: numberOf,
}
