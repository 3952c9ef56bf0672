import { text } from '../fields.ts'
import { asWritten, type FieldKind, type FieldOf } from './kind.ts'

/** Multi-line text field. */
export type LongTextField = FieldOf<'longtext', string, { readonly max?: number }>

/** Field kind for texts of several lines, at most `max` (4000) characters. */
export const longtext: FieldKind<LongTextField, string> = {
  schema: ({ max = 4000, required }) => text(max, required ? 1 : 0),
  empty: '',
  column: 'text',
  samples: ({ max = 4000 }) => ({
    good: ['Olá!\nComo vai?', 'Uma linha', '“Aspas”; ponto e vírgula'],
    bad: [5, null, {}, 'x'.repeat(max + 1)],
  }),
  ...asWritten,
}
