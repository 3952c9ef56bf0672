import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** Two policies, prepared and off. */
export const part: DemoPart = {
  after: ['queues'],
  async seed({ platform, db, tenantId, ids }) {
    const at = platform.now()
    const sales = ids.queues.get('Vendas')
    const rows = [
      {
        name: 'Vendas responde em 15 minutos',
        queue_ids: sales ? [sales] : [],
        first_minutes: 15,
        next_minutes: 30,
      },
      { name: 'Todos os outros', first_minutes: 60, next_minutes: 120, solution_minutes: 2880 },
    ]
    for (const [index, row] of rows.entries())
      await make(platform, db).insert('sla_policies', tenantId, {
        ...{ ...row, is_active: false, position: index + 1, created_at: at, updated_at: at },
      })
  },
}
