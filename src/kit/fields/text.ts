import { text as checked } from '../fields.ts'
import { asWritten, byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** Single-line text field. */
export type TextField = FieldOf<'text', string, { readonly max?: number; readonly format?: 'host' }>

const formats = {
  host: {
    pattern: /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$|^[0-9a-f:]+$/i,
    error: 'Informe o nome ou endereço do servidor.',
    samples: ['servidor.exemplo.com.br', '127.0.0.1', '::1'],
  },
}

/** Field kind for texts of one line, at most `max` (255) characters; as `host` the name or address of a server. */
export const text: FieldKind<TextField, string> = {
  schema: (field) => {
    const { max = 255, required, format } = field
    if (!format) return checked(max, required ? 1 : 0)
    const { pattern, error } = formats[format]
    return orEmpty(checked(max).regex(pattern, error), field, error)
  },
  empty: '',
  column: 'text',
  sort: byText,
  samples: ({ max = 255, required, format }) => ({
    good: (format ? formats[format].samples : ['Pós-venda', 'São José, 2ª via', 'Árvore; "ouro"']).map((sample) =>
      sample.slice(0, max),
    ),
    bad: [5, null, ['lista'], 'x'.repeat(max + 1), ...(required ? [' '] : [])],
  }),
  ...asWritten,
}
