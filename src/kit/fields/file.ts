import { z } from 'zod'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** File field; `accept` are the permitted types, as in the HTML attribute. */
export type FileField = FieldOf<'file', string | null, { readonly accept?: string }>

/** Field kind for the id of a stored file. */
export const file: FieldKind<FileField, string | null> = {
  schema: (field) => orNull(z.uuid('Escolha um arquivo.'), field),
  empty: null,
  column: 'uuid',
  samples: () => ({ good: ['01940000-0000-7000-8000-000000000000'], bad: ['arquivo.pdf', '', 5, {}] }),
  toText: (value) => value ?? '',
  fromText: (text) => text.trim() || null,
}
