import type { FieldKind, FieldOf } from './kind.ts'
import { number, numberOf, numberText } from './number.ts'

/** Percentage field. */
export type PercentField = FieldOf<'percent', number | null, { readonly max?: number }>

/** Field kind for percentages, 12.5 for 12,5 %, from 0 to `max` (100). */
export const percent: FieldKind<PercentField, number | null> = {
  ...number,
  schema: (field) => number.schema({ ...field, kind: 'number', min: 0, max: field.max ?? 100 }),
  samples: ({ max = 100 }) => ({ good: [12.5, 0, max], bad: ['12', -1, max + 0.1, {}] }),
  toText: (value) => (value === null ? '' : `${numberText(value)}%`),
  fromText: (text) => numberOf(text.trimEnd().replace(/%$/, '')),
}
