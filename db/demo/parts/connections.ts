import type { DemoPart } from '#db/demo/part.ts'

const HOUR_MS = 3_600_000

/** Unused proxy, and two recent outages of the first channel, which its health shows. */
export const part: DemoPart = {
  after: ['conversations'],
  async seed({ platform, db, tenantId }) {
    const ago = (hours: number) => new Date(platform.now().getTime() - hours * HOUR_MS)
    await db
      .insertInto('proxies')
      .values({
        tenant_id: tenantId,
        name: 'Saída de reserva',
        type: 'socks5',
        host: 'proxy.exemplo.com.br',
        port: 1080,
      })
      .execute()
    await db
      .updateTable('connections')
      .set({ first_connected_at: ago(90) })
      .where('tenant_id', '=', tenantId)
      .execute()
    const first = await db
      .selectFrom('connections')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!first) return
    await db
      .insertInto('connection_outages')
      .values(
        [
          { cause: 'network', began: 26.4, ended: 26.1, recovered: 3 },
          { cause: 'process', began: 7.2, ended: 7.15, recovered: 0 },
        ].map(({ cause, began, ended, recovered }) => ({
          ...{ tenant_id: tenantId, connection_id: first.id, cause, began_at: ago(began), ended_at: ago(ended) },
          ...{ recovered, missing: 0, checked_at: ago(ended), noticed_at: ago(ended), mailed_at: ago(ended) },
        })),
      )
      .execute()
  },
}
