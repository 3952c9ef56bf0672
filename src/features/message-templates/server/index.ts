import { registerKeeper } from '#features/connections/server/index.ts'
import { registerTemplates } from '#features/ledger/server/hooks/index.ts'
import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { findTemplate } from './queries.ts'
import { keeper, syncJob } from './sync.ts'
import { templateRoutes } from './templates.ts'

registerTemplates({ find: findTemplate })
registerKeeper('templates', keeper)

/** Server part of the feature `message-templates`: provider-approved templates for messages outside of the window. */
export const messageTemplatesFeature: Feature = {
  name: 'message-templates',
  titles: { messageTemplates: 'Modelos de mensagem' },
  errors,
  permissions,
  routes: templateRoutes,
  jobs: [syncJob],
}
