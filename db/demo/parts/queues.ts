import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** The queues; each has prepared how its quiet conversations would be resolved, and none does it. */
export const part: DemoPart = {
  async seed({ platform, db, tenantId, tenant, ids }) {
    for (const { name, color } of tenant.queues)
      ids.queues.set(
        name,
        await make(platform, db).queue(tenantId, {
          ...{ queue: name, color, auto_close: 'never', auto_close_time: '1440' },
          auto_close_message: 'Como não tivemos retorno, encerramos por aqui. Precisando, é só chamar.',
        }),
      )
  },
}
