import type { DemoPart } from '#db/demo/part.ts'
import { merge } from '#features/contacts/server/index.ts'
import type { Ctx } from '#server/context.ts'
import { make } from '#test/make.ts'

/** Customer with a merged second number, and one who may be a duplicate: same e-mail, another number. */
export const part: DemoPart = {
  after: ['birthdays', 'contact-fields', 'conversations', 'kanban'],
  async seed({ platform, db, tenantId, ids }) {
    const known = { merged: ids.contacts.get('Rayssa Monteiro'), double: ids.contacts.get('Adriana Salviano') }
    if (!known.merged || !known.double) return
    const m = make(platform, db)
    const second = async (name: string, number: string, more: object = {}) => {
      const id = await m.contact(tenantId, { name, number, ...more })
      await db
        .insertInto('contact_identities')
        .values({ tenant_id: tenantId, channel: 'lab', identity: number, contact_id: id })
        .execute()
      return id
    }
    await second('Adriana (celular novo)', '5516906955511', { email: 'adri.salviano@mail.test' })
    const otherId = await second('Rayssa trabalho', '5531901570088', { email: 'rayssa@studio.test' })
    const ctx = { platform, tenantId, db, user: null, now: platform.now(), emit: () => {}, enqueue: () => {} }
    await merge(ctx as unknown as Ctx, { id: known.merged, otherId, proof: 'person' })
  },
}
