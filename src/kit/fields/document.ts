import { z } from 'zod'
import { formatDocument, parseDocument } from '#domain/documents/documents.ts'
import { byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** CPF or CNPJ field; `only` restricts it to one of the two. */
export type DocumentField = FieldOf<'document', string, { readonly only?: 'cpf' | 'cnpj' }>

const NAMES = { cpf: 'CPF', cnpj: 'CNPJ', any: 'CPF ou CNPJ' }

/** Field kind for CPF and CNPJ, with letters or without, stored without mask; or ''. */
export const document: FieldKind<DocumentField, string> = {
  schema: (field) => {
    const wrong = `Confira os números: este ${NAMES[field.only ?? 'any']} não existe.`
    const known = z
      .string({ error: wrong })
      .refine((written) => {
        const kind = parseDocument(written)?.kind
        return kind !== undefined && kind === (field.only ?? kind)
      }, wrong)
      .transform((written) => parseDocument(written)?.value ?? written)
    return orEmpty(known, field, wrong)
  },
  empty: '',
  column: 'text',
  sort: byText,
  samples: ({ only }) => ({
    good: [
      ...(only === 'cnpj' ? [] : ['52998224725']),
      ...(only === 'cpf' ? [] : ['11222333000181', '12ABC34501DE35']),
    ],
    bad: ['52998224724', '11111111111', '12ABC34501DE34', '1', 'documento', 52998224725, null],
  }),
  toText: formatDocument,
  fromText: (text) => text.trim(),
}
