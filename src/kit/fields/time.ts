import { z } from 'zod'
import { asWritten, byText, type FieldKind, type FieldOf, orEmpty } from './kind.ts'

/** Time of day field. */
export type TimeField = FieldOf<'time', string>

const WRONG = 'Informe o horário (HH:MM).'

/** Field kind for times of day, HH:MM from 00:00 to 23:59, or ''. */
export const time: FieldKind<TimeField, string> = {
  schema: (field) => orEmpty(z.string({ error: WRONG }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, WRONG), field, WRONG),
  empty: '',
  column: 'text',
  sort: byText,
  filter: 'range',
  samples: () => ({ good: ['08:00', '00:00', '23:59'], bad: ['24:00', '8:00', '12:60', 'cedo', 800, null] }),
  ...asWritten,
}
