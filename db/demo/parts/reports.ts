import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

/** Reports that people saved. */
export const part: DemoPart = {
  after: ['users'],
  async seed({ platform, db, tenantId, ids }) {
    const at = platform.now()
    const filter = { startDate: '2026-01-01', endDate: '2026-01-14' }
    for (const userId of ids.users.values()) {
      const of = { user_id: userId, created_at: at, updated_at: at }
      const views = [
        { name: 'SLA por pessoa', path: 'sla', search: { divisao: 'user' }, filter: { report: 'sla', by: 'user' } },
        { name: 'Notas por fila', path: 'avaliacoes', search: {}, filter: { report: 'ratings', by: 'queue' } },
      ]
      for (const { name, path, search, filter: more } of views) {
        const body = { report: 'summary', filter: { ...filter, ...more } }
        const texts = { name, path, search: JSON.stringify(search), body: JSON.stringify(body) }
        await make(platform, db).insert('report_views', tenantId, { ...of, ...texts })
      }
    }
  },
}
