import { addChannel, webchatAdapter } from '#providers/channels/adapters.ts'
import type { Feature } from '#server/feature.ts'
import { permissions } from '../permissions.ts'
import { openLines } from './lines.ts'
import { keysOfProofs } from './queries.ts'
import { webchatRoutes } from './routes.ts'
import { serveWidget } from './widget-files.ts'

/** The webchat of customers' sites: its channel, its public addresses, its sockets. */
export const webchatFeature: Feature = {
  name: 'webchat',
  permissions,
  routes: webchatRoutes,
  sealedWith: keysOfProofs,
  attach(platform, parts) {
    addChannel(platform, webchatAdapter)
    serveWidget(platform, parts)
    openLines(platform, parts)
  },
}
