import type { Feature } from '#server/feature.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { ruleRoutes } from './rules.ts'

export { actOnAssigned, actOnClosed, actOnMessages, actOnOpened } from './act.ts'
export { removeRuns } from './queries.ts'
export { mergeTagsOfRules } from './queries-tags.ts'

/** Server part of the feature `rules`: automation rules on tickets. */
export const rulesFeature: Feature = {
  name: 'rules',
  titles: { rules: 'Automações' },
  settings,
  permissions,
  errors,
  routes: ruleRoutes,
}
