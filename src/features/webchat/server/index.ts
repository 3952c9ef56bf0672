import type { Feature } from '#server/feature.ts'
import { permissions } from '../permissions.ts'
import { mailJob } from './continue-by-mail.ts'
import { webchatRoutes } from './routes.ts'
import { openVisitorSockets } from './visitor-sockets.ts'
import { serveWidget } from './widget-files.ts'

export { mailWhenAway } from './continue-by-mail.ts'
export { forgetVisitors } from './queries-forget.ts'

/** Server part of the feature `webchat`: the webchat of customers' sites: channel, public API, sockets. */
export const webchatFeature: Feature = {
  name: 'webchat',
  titles: { webchatChannels: 'Webchat: canais', webchat: 'Webchat: visitantes' },
  permissions,
  routes: webchatRoutes,
  jobs: [mailJob],
  attach(platform, parts) {
    serveWidget(platform, parts)
    openVisitorSockets(platform, parts)
  },
}
