import type { DemoPart } from '#db/demo/part.ts'
import { uuidv7 } from '#server/ids.ts'

const MINUTE = 60_000

// Minutes ago, contact by position, direction, seconds of talk; 0: unanswered.
const made = [
  [12, 0, 'incoming', 184],
  [47, 3, 'outgoing', 65],
  [95, 5, 'incoming', 0],
  [180, 1, 'outgoing', 0],
  [1500, 2, 'incoming', 421],
  [1620, 4, 'outgoing', 33],
] as const

/** Voice calls of the last two days; the device that made them is gone. */
export const part: DemoPart = {
  after: ['contacts', 'users'],
  async seed({ platform, db, tenantId, ids }) {
    const contacts = [...ids.contacts.entries()]
    const users = [...ids.users.values()]
    for (const [index, [ago, at, direction, seconds]] of made.entries()) {
      const contact = contacts[at]
      if (!contact) continue
      const [name, id] = contact
      const begun = platform.now().getTime() - ago * MINUTE
      const { number } = await db.selectFrom('contacts').select('number').where('id', '=', id).executeTakeFirstOrThrow()
      await db
        .insertInto('calls')
        .values({
          ...{
            tenant_id: tenantId,
            id: uuidv7(begun),
            device_name: 'Vendas',
            device_number: '551130001000',
            direction,
          },
          ...{ number: number ?? '', name, contact_id: id, created_at: new Date(begun) },
          user_id: seconds || direction === 'outgoing' ? (users[index % users.length] ?? null) : null,
          answered_at: seconds ? new Date(begun + 9000) : null,
          ended_at: new Date(begun + 9000 + seconds * 1000),
        })
        .execute()
    }
  },
}
