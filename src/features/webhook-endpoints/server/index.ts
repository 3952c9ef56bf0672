import type { Feature } from '#server/feature.ts'
import type { Platform } from '#server/platform.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { plan } from '../plan.ts'
import { settings } from '../settings.ts'
import { followFeed } from './feed.ts'
import { keysOfEndpoints } from './queries-deliveries.ts'
import { deliveryRoutes, endpointRoutes } from './routes.ts'
import { startRunner } from './runner.ts'

export { saveCallback } from './callback.ts'
export { forgetReceived } from './feed.ts'
export { type Formatted, registerFormat } from './formats.ts'
export { registerOccurrences } from './occurrences.ts'
export { removeDeliveries } from './queries-deliveries.ts'
export { requireReachable } from './reachable.ts'

async function start(platform: Platform): Promise<() => Promise<void>> {
  const stopRunner = startRunner(platform)
  const stopFeed = await followFeed(platform)
  return async () => {
    await stopFeed()
    await stopRunner()
  }
}

/** Server part of the feature `webhook-endpoints`: webhook endpoints and their deliveries. */
export const webhookEndpointsFeature: Feature = {
  name: 'webhook-endpoints',
  titles: { webhookEndpoints: 'Webhooks', webhookDeliveries: 'Envios de webhooks' },
  errors,
  permissions,
  plan,
  settings,
  routes: [...endpointRoutes, ...deliveryRoutes],
  encryptedWith: keysOfEndpoints,
  start,
}
