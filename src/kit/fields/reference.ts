import { z } from 'zod'
import type { Address } from '../addresses.ts'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** Table that others refer to: its name, the list to choose from, the property with the rows, and the one that names a row. */
export type Referred = {
  readonly table: string
  readonly list: Address
  readonly rows?: string
  readonly name: string
}

/** Field that refers to a row of another table. */
export type ReferenceField = FieldOf<'reference', number | null, { readonly to: Referred }>

/** Schema of a row's id in a body. */
export const rowId = z
  .number({ error: 'Escolha um da lista.' })
  .int('Escolha um da lista.')
  .positive('Escolha um da lista.')
  .max(Number.MAX_SAFE_INTEGER)

/** Field kind for the id of a row of another table; files contain its name, which the caller resolves. */
export const reference: FieldKind<ReferenceField, number | null> = {
  schema: (field) => orNull(rowId, field),
  empty: null,
  column: 'bigint',
  filter: 'values',
  samples: () => ({ good: [1, 42], bad: ['um', 0, -1, 1.5, {}] }),
  toText: (value) => (value === null ? '' : String(value)),
  fromText: (text) => (text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : text),
}
