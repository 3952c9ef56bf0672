import type { Feature } from '#server/feature.ts'
import { permissions } from '../permissions.ts'
import { webchatRoutes } from './routes.ts'
import { openVisitorSockets } from './visitor-sockets.ts'
import { serveWidget } from './widget-files.ts'

export { forgetVisitors } from './queries-forget.ts'

/** The webchat of customers' sites: its channel, its public addresses, its sockets. */
export const webchatFeature: Feature = {
  name: 'webchat',
  titles: { webchatChannels: 'Webchat: canais', webchat: 'Webchat: visitantes' },
  permissions,
  routes: webchatRoutes,
  attach(platform, parts) {
    serveWidget(platform, parts)
    openVisitorSockets(platform, parts)
  },
}
