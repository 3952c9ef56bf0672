import { day } from '../fields.ts'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** Date field. */
export type DateField = FieldOf<'date', string | null>

/** Converts a day as written in Brazil (“31/12/2026”) to AAAA-MM-DD; returns anything else unchanged. */
export const isoDateOf = (text: string): string => text.trim().replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1')

/** Formats a day as written in Brazil. */
export const writtenDate = (iso: string): string => iso.split('-').reverse().join('/')

/** Field kind for dates, AAAA-MM-DD. */
export const date: FieldKind<DateField, string | null> = {
  schema: (field) => orNull(day, field),
  empty: null,
  column: 'date',
  read: 'text',
  sort: { type: 'date', last: 'infinity' },
  filter: 'range',
  samples: () => ({
    good: ['2028-02-29', '1968-03-14', '2199-12-31'],
    bad: ['2027-02-29', '31/12/2026', '', 'ontem', 20260101, '1800-01-01', '2026-1-1'],
  }),
  toText: (value) => (value === null ? '' : writtenDate(value)),
  fromText: (text) => isoDateOf(text) || null,
}
