import { text } from '../fields.ts'
import { asWritten, type FieldKind, type FieldOf } from './kind.ts'

/** Template field: text with variables in double braces; `variables` are the offered ones, with their labels. */
export type TemplateField = FieldOf<
  'template',
  string,
  { readonly max?: number; readonly variables: Readonly<Record<string, string>> }
>

/** Field kind for texts with variables, at most `max` (4000) characters; an unknown variable is sent literally. */
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
