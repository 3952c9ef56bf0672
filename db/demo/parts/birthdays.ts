import type { DemoPart } from '#db/demo/part.ts'
import { localTime, midnightAfter, offsetMinutes } from '#domain/calendar/local-time.ts'

const SHOWN = 12

/** Birthdays of some contacts: two today, the others every other day. No greeting is automatic. */
export const part: DemoPart = {
  after: ['contacts'],
  async seed({ platform, db, ids }) {
    const now = platform.now().getTime()
    const today = localTime(now, offsetMinutes('America/Sao_Paulo', now))
    for (const [index, id] of [...ids.contacts.values()].slice(0, SHOWN).entries()) {
      const { month, day } = midnightAfter(today, Math.max(0, index - 1) * 2)
      const birthday_date = [1962 + index * 3, month, day].map((part) => String(part).padStart(2, '0')).join('-')
      await db.updateTable('contacts').set({ birthday_date }).where('id', '=', id).execute()
    }
  },
}
