import type { DemoPart } from '#db/demo/part.ts'
import { uuidv7 } from '#server/ids.ts'
import { newToken } from '#server/secrets.ts'
import { make } from '#test/make.ts'

const HOUR = 3_600_000
const EVENTS = [
  'ticket.created',
  'message.created',
  'ticket.closed',
  'contact.updated',
  'opportunity.won',
  'message.created',
]

/** An inactive webhook endpoint with its deliveries; the demo sends no request. */
export const part: DemoPart = {
  after: ['users'],
  async seed({ platform, db, tenantId }) {
    const now = platform.now().getTime()
    const at = (hours: number) => new Date(now - hours * HOUR)
    const m = make(platform, db)
    const secret = platform.secrets.encrypt(
      `whsec_${Buffer.from(newToken()).toString('base64')}`,
      `${tenantId}/webhook_endpoints`,
    )
    const endpoint_id = await m.insert('webhook_endpoints', tenantId, {
      ...{ name: 'Sistema de pedidos', url: 'https://pedidos.loja-demo.test/guiche', secret, is_active: false },
      ...{ events: ['message.created', 'ticket.*', 'contact.*', 'opportunity.*'], last_delivered_at: at(5) },
      ...{ created_at: at(400), updated_at: at(4) },
    })
    for (const [index, type] of EVENTS.entries()) {
      const isFailed = index === EVENTS.length - 1
      const id = uuidv7()
      const times = { created_at: at(20 - index * 3), due_at: at(20 - index * 3), ended_at: at(20 - index * 3) }
      const body = JSON.stringify({
        type,
        timestamp: times.created_at.toISOString(),
        seq: index + 1,
        data: { id: 1001 + index },
      })
      const outcome = isFailed
        ? { status: 'failed', tries: 8, http_status: 503 }
        : { status: 'delivered', tries: 1, http_status: 200 }
      await m.insert('webhook_deliveries', tenantId, {
        ...times,
        ...outcome,
        id,
        endpoint_id,
        seq: index + 1,
        type,
        body,
      })
      await m.insert('webhook_attempts', tenantId, {
        ...{ delivery_id: id, at: times.created_at, http_status: outcome.http_status, ms: 84 + index * 31 },
        answer: isFailed ? '{"error":"manutenção"}' : '{"ok":true}',
      })
    }
  },
}
