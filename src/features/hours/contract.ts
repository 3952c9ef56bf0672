import { z } from 'zod'
import { weekProblems } from '#domain/calendar/business-hours.ts'
import { text } from '#kit/fields.ts'

const time = z.string().max(5, 'Use HH:MM.')

/** One weekday on the wire (product facts 7.4). */
const businessDay = z.strictObject({
  day: z.number().int().min(0).max(6),
  label: text(40),
  type: z.enum(['O', 'C', 'H'], { error: 'Escolha O (aberto), C (fechado) ou H (horário).' }),
  hr1: time,
  hr2: time,
  hr3: time,
  hr4: time,
})

/** A week of opening hours, of a company, a queue or a person; what is wrong is told at the day's number. */
export const businessWeek = z.array(businessDay).superRefine((week, check) => {
  for (const { day, problem } of weekProblems(week)) {
    check.addIssue({ code: 'custom', path: [day], message: problem })
  }
})
