import { z } from 'zod'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** A file of the company; `accept` are the types that may be chosen, as browsers name them. */
export type FileField = FieldOf<'file', string | null, { readonly accept?: string }>

/** The id of a stored file. */
export const file: FieldKind<FileField, string | null> = {
  schema: (field) => orNull(z.uuid('Escolha um arquivo.'), field),
  empty: null,
  column: 'uuid',
  samples: () => ({ good: ['01940000-0000-7000-8000-000000000000'], bad: ['arquivo.pdf', '', 5, {}] }),
  toText: (value) => value ?? '',
  fromText: (text) => text.trim() || null,
}
