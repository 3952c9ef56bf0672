import type { DemoPart } from '#db/demo/part.ts'
import { tableOf } from '#server/table.ts'
import { samples } from './samples.ts'

/** Samples of the first company, with the tags of the catalogue. */
export const part: DemoPart = {
  after: ['catalog'],
  async seed({ db, platform, tenant, ids }) {
    const tagId = ids.tags.get('Cliente ouro')
    if (tagId === undefined) return
    for (const name of [`Tecido de ${tenant.name}`, 'Verniz'])
      await tableOf(samples.spec).insert(db, { name, tagId, amount: 3, isActive: true }, platform.now())
  },
}
