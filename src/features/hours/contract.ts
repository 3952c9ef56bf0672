import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { businessDay, businessWeek } from '#kit/fields/week.ts'
import { day, isoTime, text } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { absenceText } from './forms.ts'

const holiday = z.strictObject({
  date: day,
  description: text(80, 1),
  active: z.boolean(),
})

/** Schema of the holidays, each day once. */
const holidayList = z
  .array(holiday)
  .max(400, 'Guarde no máximo 400 feriados.')
  .superRefine((list, check) => {
    for (const [index, { date }] of list.entries()) {
      if (list.findIndex((other) => other.date === date) < index)
        check.addIssue({ code: 'custom', path: [index, 'date'], message: 'Este dia já está na lista.' })
    }
  })

/** API contract of the company's business hours. */
export const hours = contract(at.hours, {
  get: {
    summary: 'Horário, mensagem de ausência e feriados da empresa, e se há alguém agora',
    returns: z.array(
      z.object({
        businessHours: z.array(businessDay),
        messageBusinessHours: z.string(),
        holidays: z.array(holiday),
        timezone: z.string(),
        isOpen: z.boolean(),
        /** Next opening time; null while open, or if there is none. */
        opensAt: isoTime.nullable(),
      }),
    ),
  },
  setWeek: {
    summary: 'Guardar a semana; sete dias, de domingo (0) a sábado (6)',
    body: businessWeek,
    returns: z.object({ businessHours: z.array(businessDay) }),
    audit: true,
  },
  setMessage: {
    summary: 'Guardar a mensagem de ausência; vazia não envia nada',
    body: z.strictObject({ messageBusinessHours: absenceText }),
    returns: z.object({ messageBusinessHours: z.string() }),
    audit: true,
  },
  setHolidays: {
    summary: 'Guardar os feriados',
    body: holidayList,
    returns: z.object({ holidays: z.array(holiday) }),
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    hours: typeof hours
  }
}
