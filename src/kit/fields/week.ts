import { z } from 'zod'
import { type BusinessDay, USUAL_WEEK, weekProblems } from '#domain/calendar/business-hours.ts'
import { text } from '../fields.ts'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** Business hours field; `whose` selects the labels of its days. */
export type WeekField = FieldOf<'week', BusinessDay[] | null, { readonly whose?: 'tenant' | 'person' }>

const time = z.string({ error: 'Use HH:MM.' }).max(5, 'Use HH:MM.')

/** Schema of one weekday's hours on the wire (product facts 7.4). */
export const businessDay = z.strictObject({
  day: z.number({ error: 'Informe o dia da semana.' }).int().min(0).max(6),
  label: text(40),
  type: z.enum(['O', 'C', 'H'], { error: 'Escolha O (aberto), C (fechado) ou H (horário).' }),
  hr1: time,
  hr2: time,
  hr3: time,
  hr4: time,
})

/** Schema of a week's business hours, of a company, queue or person; issues are reported under the day's index. */
export const businessWeek = z.array(businessDay, { error: 'Informe a semana.' }).superRefine((week, check) => {
  for (const { day, problem } of weekProblems(week)) {
    check.addIssue({ code: 'custom', path: [day], message: problem })
  }
})

/** Field kind for seven days of business hours; null: none. */
export const week: FieldKind<WeekField, BusinessDay[] | null> = {
  schema: (field) => orNull<BusinessDay[]>(businessWeek, field),
  empty: null,
  column: 'jsonb',
  stored: (value) => value && JSON.stringify(value),
  samples: () => ({
    good: [[...USUAL_WEEK]],
    bad: [
      5,
      'semana',
      [{}],
      USUAL_WEEK.map((one) => ({ ...one, type: 'X' })),
      USUAL_WEEK.map((one) => ({ ...one, type: 'H', hr1: '19:00' })),
    ],
  }),
  toText: (value) => (value === null ? '' : JSON.stringify(value)),
  fromText: (written) => {
    if (written.trim() === '') return null
    try {
      return JSON.parse(written)
    } catch {
      return written
    }
  },
}
