import { z } from 'zod'
import type { FieldKind, FieldOf } from './kind.ts'

/** Boolean field. */
export type BooleanField = FieldOf<'boolean', boolean>

const written: Readonly<Record<string, boolean>> = {
  sim: true,
  s: true,
  '1': true,
  true: true,
  não: false,
  nao: false,
  n: false,
  '0': false,
  false: false,
}

/** Field kind for booleans, never empty. */
export const boolean: FieldKind<BooleanField, boolean> = {
  schema: () => z.boolean({ error: 'Escolha sim ou não.' }),
  empty: false,
  column: 'boolean',
  sort: { type: 'boolean' },
  filter: 'values',
  samples: () => ({ good: [true, false], bad: ['talvez', 2, null, {}] }),
  toText: (value) => (value ? 'Sim' : 'Não'),
  fromText: (text, field) => {
    const word = text.trim().toLowerCase()
    return word === '' ? (field.default ?? false) : (written[word] ?? text)
  },
}
