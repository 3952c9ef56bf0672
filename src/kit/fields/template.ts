import { text } from '../fields.ts'
import { asWritten, type FieldKind, type FieldOf } from './kind.ts'

/** A text with variables in double braces; `variables` are those on offer, with what they are called. */
export type TemplateField = FieldOf<
  'template',
  string,
  { readonly max?: number; readonly variables: Readonly<Record<string, string>> }
>

/** A text with variables, at most `max` (4000) characters; a variable that does not exist is sent as it is written. */
export const template: FieldKind<TemplateField, string> = {
  schema: ({ max = 4000, required }) => text(max, required ? 1 : 0),
  empty: '',
  column: 'text',
  samples: ({ max = 4000 }) => ({
    good: ['{{greeting}}, {{firstName}}!\nVoltamos às 8h.', 'Sem variável'],
    bad: [5, null, [], 'x'.repeat(max + 1)],
  }),
  ...asWritten,
}
