import type { FieldKind, FieldOf } from './kind.ts'
import { number, numberOf, numberText } from './number.ts'

/** Position field: the manual order of a table's rows. */
export type OrderField = FieldOf<'order', number | null>

/** Field kind for a row's position, 1 for the first; omitted: last. */
export const order: FieldKind<OrderField, number | null> = {
  ...number,
  schema: (field) => number.schema({ ...field, kind: 'number', whole: true, min: 1, max: 1_000_000 }),
  column: 'integer',
  samples: () => ({ good: [1, 2], bad: [0, 1.5, 'primeiro', 1_000_001, {}] }),
  toText: numberText,
  fromText: numberOf,
}
