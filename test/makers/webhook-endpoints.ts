import { uuidv7 } from '#server/ids.ts'
import { type FeatureMakers, type Making, rowsOf } from './maker.ts'

async function endpointOf(making: Making): Promise<number> {
  const { platform } = making.product
  const at = platform.now()
  const secret = platform.secrets.encrypt(
    `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    `${making.tenantId}/webhook_endpoints`,
  )
  const row = { name: 'Meu sistema', url: 'http://127.0.0.1:9/webhook', events: ['*'], secret }
  return rowsOf(making).insert('webhook_endpoints', making.tenantId, { ...row, created_at: at, updated_at: at })
}

async function deliveryOf(making: Making): Promise<string> {
  const at = making.product.platform.now()
  const id = uuidv7()
  const endpoint_id = await endpointOf(making)
  const row = { id, endpoint_id, seq: 1, type: 'endpoint.test', body: '{"data":{}}', status: 'failed' }
  await rowsOf(making).insert('webhook_deliveries', making.tenantId, {
    ...row,
    due_at: at,
    created_at: at,
    ended_at: at,
  })
  return id
}

export const makers: FeatureMakers = {
  params: {
    'webhookEndpoints.id': endpointOf,
    'webhookDeliveries.id': endpointOf,
    'webhookDeliveries.deliveryId:uuid': deliveryOf,
  },
  bodies: {
    'webhookEndpoints.create': { url: 'http://127.0.0.1:9/webhook', events: ['message.created'] },
    'webhookEndpoints.update': { name: 'Outro nome' },
    'webhookEndpoints.resend': { from: 0, to: 1 },
  },
}
