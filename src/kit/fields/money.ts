import { z } from 'zod'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'
import { numberOf } from './number.ts'

/** Money field, in reais. */
export type MoneyField = FieldOf<'money', string | null>

const sum = z
  .string({ error: 'Informe um valor em reais.' })
  .trim()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Informe um valor em reais.')

/** Field kind for amounts in reais as decimal text (`49.90`), never negative. */
export const money: FieldKind<MoneyField, string | null> = {
  schema: (field) => orNull(sum, field),
  empty: null,
  column: 'numeric(12, 2)',
  sort: { type: 'numeric', last: 'Infinity' },
  filter: 'range',
  samples: () => ({ good: ['49.90', '0.00', '123456789.99'], bad: [49.9, '', '49,90', '-1', '1.999', '1e3', 'R$ 5'] }),
  toText: (value) => value?.replace('.', ',') ?? '',
  fromText: (text) => {
    const value = numberOf(text.replace(/^\s*R\$\s*/, ''))
    return typeof value === 'number' ? value.toFixed(2) : value
  },
}
