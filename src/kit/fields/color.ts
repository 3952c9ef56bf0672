import { color as checked } from '../fields.ts'
import { asWritten, type FieldKind, type FieldOf } from './kind.ts'

/** Colour field. */
export type ColorField = FieldOf<'color', string>

/** Field kind for colours, `#RRGGBB`, never empty. */
export const color: FieldKind<ColorField, string> = {
  schema: () => checked,
  empty: '#3874B6',
  column: 'text',
  samples: () => ({ good: ['#1C5D99', '#b4468f'], bad: ['azul', '', '#12345', '#12345g', 5, null] }),
  ...asWritten,
}
