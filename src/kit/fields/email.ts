import { email as checked } from '../fields.ts'
import { asWritten, byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** An e-mail address. */
export type EmailField = FieldOf<'email', string>

/** An e-mail address in lower case, or ''. */
export const email: FieldKind<EmailField, string> = {
  schema: (field) => orEmpty(checked, field, 'Informe um e-mail válido.'),
  empty: '',
  column: 'text',
  sort: byText,
  samples: () => ({
    good: ['pessoa@teste.dev', 'ana.lima+guiche@loja.com.br'],
    bad: ['pessoa', 'pessoa@', '@teste.dev', 'a b@teste.dev', 5, null, `${'x'.repeat(250)}@teste.dev`],
  }),
  ...asWritten,
}
