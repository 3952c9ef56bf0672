import type { DemoPart } from '#db/demo/part.ts'

const DAY_MS = 86_400_000
const SHOWN = 12

/** Some contacts have a birthday these days: two of them today, the others every other day. Nobody is congratulated by itself. */
export const part: DemoPart = {
  after: ['contacts'],
  async seed({ platform, db, ids }) {
    for (const [index, id] of [...ids.contacts.values()].slice(0, SHOWN).entries()) {
      const day = new Date(platform.now().getTime() + Math.max(0, index - 1) * 2 * DAY_MS)
      const birthday_date = `${1962 + index * 3}${day.toISOString().slice(4, 10)}`
      await db.updateTable('contacts').set({ birthday_date }).where('id', '=', id).execute()
    }
  },
}
