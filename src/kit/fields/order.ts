import type { FieldKind, FieldOf } from './kind.ts'
import { number, numberOf, numberText } from './number.ts'

/** The place of a row among the others of its table, put in order by hand. */
export type OrderField = FieldOf<'order', number | null>

/** The place of a row, 1 for the first; left out, it is the last. */
export const order: FieldKind<OrderField, number | null> = {
  ...number,
  schema: (field) => number.schema({ ...field, kind: 'number', whole: true, min: 1, max: 1_000_000 }),
  column: 'integer',
  samples: () => ({ good: [1, 2], bad: [0, 1.5, 'primeiro', 1_000_001, {}] }),
  toText: numberText,
  fromText: numberOf,
}
