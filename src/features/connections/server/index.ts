import { provideChannels } from '#features/ledger/server/ports/index.ts'
import { unit } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { connections } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { adapterOf, reachConnection } from './adapters.ts'
import { appRoutes } from './apps.ts'
import { sendsOf, startHost } from './host.ts'
import { keepers } from './keepers.ts'
import { publishStatus } from './link.ts'
import { readConnections } from './list.ts'
import { readOutages } from './outages.ts'
import { providerRoutes } from './providers.ts'
import { proxyRoutes } from './proxies.ts'
import { keysOfConnections } from './queries.ts'
import { keysOfWebhooks } from './queries-provider-webhooks.ts'
import { keysOfProxies } from './queries-proxies.ts'
import { closeJob, removeConnection } from './remove.ts'
import { renewJob, startRenewals } from './renew.ts'
import {
  closeAll,
  createConnection,
  endConnection,
  readConnection,
  renewCode,
  resetWebhook,
  saveConnection,
  setDefault,
  startConnection,
  stopConnection,
} from './save.ts'
import { tryConnection } from './try.ts'
import { startWatch } from './watch.ts'
import { serveWebhooks } from './webhooks.ts'

export { type LocalServer, provideLocalEnd, provideLocalServer, settingsOf, toolsOf } from './adapters.ts'
export { type Keeper, type NumberKeeper, readFromProvider, registerKeeper } from './keepers.ts'
export { mailAdmins } from './mail-admins.ts'
export { callbackOf } from './provider-webhooks.ts'
export { findByAccount, findConnection } from './queries.ts'
export { takeFailure } from './readings.ts'
export { isCodeShown } from './rows.ts'
export {
  changeConnection,
  createConnection,
  makeConnection,
  readConnection,
  saveConnection,
  startConnection,
} from './save.ts'
export { decrypt, encrypt } from './values.ts'

provideChannels({
  adapterOf,
  publishConnection: publishStatus,
  stopConnection,
  noteUnpaid: (...of) => keepers().numbers.unpaid(...of),
  async forwardSending(platform, tenantId, conversation, isUrgent) {
    const reached = await reachConnection(platform, tenantId, conversation.connectionId)
    if (!reached?.config.isPersistent) return false
    // Committed, so that NOTIFY reaches the holder; a holder that missed it looks for all waiting messages when it
    // listens again.
    await unit(platform, { tenantId, user: null }, async (ctx) => ctx.stale(sendsOf(tenantId, conversation, isUrgent)))
    return true
  },
})

export { moveConnections } from './queries-routing.ts'

const routes = implement(connections, {
  list: (ctx, { query }) => readConnections(ctx, query.details),
  get: (ctx, { params }) => readConnection(ctx, params.id),
  create: (ctx, { body }) => createConnection(ctx, body),
  update: (ctx, { params, body }) => saveConnection(ctx, params.id, body),
  remove: async (ctx, { params }) => {
    await removeConnection(ctx, params.id)
    return { message: 'ok' }
  },
  start: (ctx, { params, body }) => startConnection(ctx, params.id, body),
  end: (ctx, { params }) => endConnection(ctx, params.id),
  renew: (ctx, { params }) => renewCode(ctx, params.id),
  reset: (ctx, { params }) => renewCode(ctx, params.id),
  test: (ctx, { body }) => tryConnection(ctx, body),
  setWebhook: async (ctx, { params }) => {
    await resetWebhook(ctx, params.id)
    return { message: 'ok' }
  },
  outages: (ctx, { params, query }) => readOutages(ctx, params.id, query.cursor),
  setDefault: async (ctx, { body }) => {
    await setDefault(ctx, body.whatsappId)
    return { message: 'ok' }
  },
  closeOpen: (ctx, { body }) => closeAll(ctx, body.whatsappId, 'open', body.reasons),
  closePending: (ctx, { body }) => closeAll(ctx, body.whatsappId, 'pending', body.reasons),
})

/** Feature of connections to channels of every type: life cycle, secrets, provider webhooks. */
export const connectionsFeature: Feature = {
  name: 'connections',
  titles: {
    connections: 'Canais',
    providers: 'Provedores',
    proxies: 'Proxies',
    providerApps: 'Aplicativos nos provedores',
  },
  permissions,
  settings,
  errors,
  routes: [...routes, ...providerRoutes, ...proxyRoutes, ...appRoutes],
  jobs: [closeJob, renewJob],
  encryptedWith: async (db) => [
    ...(await keysOfConnections(db)),
    ...(await keysOfWebhooks(db)),
    ...(await keysOfProxies(db)),
  ],
  constraints: {
    connections_account: 'ERR_DUPLICATED',
    provider_apps_channel_name_key: 'ERR_DUPLICATED',
    connections_proxy: 'ERR_PROXY_IN_USE',
  },
  async attach(platform, { http }) {
    if (plays(platform.env, 'web')) await serveWebhooks(platform, http)
  },
  async start(platform) {
    const ends = [
      ...(plays(platform.env, 'channels') ? [await startHost(platform)] : []),
      ...(plays(platform.env, 'worker') ? [startWatch(platform), startRenewals(platform)] : []),
    ]
    return async () => void (await Promise.all(ends.map((end) => end())))
  },
}
