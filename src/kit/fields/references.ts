import { z } from 'zod'
import type { FieldKind, FieldOf } from './kind.ts'
import { type Referred, rowId } from './reference.ts'

/** Field that refers to rows of another table. */
export type ReferencesField = FieldOf<'references', number[], { readonly to: Referred }>

/** Field kind for the ids of rows of another table, at most 500. */
export const references: FieldKind<ReferencesField, number[]> = {
  schema: ({ required }) => {
    const ids = z.array(rowId, { error: 'Escolha da lista.' }).max(500, 'Escolha no máximo 500.')
    return required ? ids.min(1, 'Escolha ao menos um.') : ids
  },
  empty: [],
  column: 'bigint[]',
  samples: ({ required }) => ({
    good: [[1, 42], [7]],
    bad: [['um'], 5, null, [0], Array.from({ length: 501 }, (_, index) => index + 1), ...(required ? [[]] : [])],
  }),
  toText: (value) => value.join(', '),
  fromText: (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
}
