import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { journal } from '../contract.ts'
import { permissions } from '../permissions.ts'
import { publishDelays } from './delays.ts'
import { listEvents } from './list.ts'
import { retryEvents, retryEverywhere } from './retry.ts'

const routes = implement(journal, {
  list: ({ db }, { query }) => listEvents(db, query),
  retry: (ctx, { body }) => retryEvents(ctx, body.ids),
  platformList: ({ platform }, { query }) => platform.db.asPlatform((db) => listEvents(db, query, true)),
  platformRetry: (ctx, { body }) => retryEverywhere(ctx, body.ids),
})

/** Server part of the feature `journal`: incoming events that failed and were set aside, and delays. */
export const journalFeature: Feature = {
  name: 'journal',
  titles: { journal: 'Mensagens com erro' },
  permissions,
  routes,
  attach: (platform, { io }) => publishDelays(platform, io),
}
