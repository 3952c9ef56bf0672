import { text as checked } from '../fields.ts'
import { asWritten, byText, type FieldKind, type FieldOf } from './kind.ts'

/** A text of one line. */
export type TextField = FieldOf<'text', string, { readonly max?: number }>

/** A text of one line, at most `max` (255) characters. */
export const text: FieldKind<TextField, string> = {
  schema: ({ max = 255, required }) => checked(max, required ? 1 : 0),
  empty: '',
  column: 'text',
  sort: byText,
  samples: ({ max = 255, required }) => ({
    good: ['Pós-venda', 'São José, 2ª via', 'Árvore; "ouro"'].map((sample) => sample.slice(0, max)),
    bad: [5, null, ['lista'], 'x'.repeat(max + 1), ...(required ? [' '] : [])],
  }),
  ...asWritten,
}
