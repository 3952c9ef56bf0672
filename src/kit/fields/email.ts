import { email as checked } from '../fields.ts'
import { asWritten, byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** E-mail field. */
export type EmailField = FieldOf<'email', string>

/** Field kind for e-mail addresses in lower case, or ''. */
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
