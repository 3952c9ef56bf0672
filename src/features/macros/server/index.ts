import type { Feature } from '#server/feature.ts'
import { macroRoutes } from './macros.ts'

export { actionsOf, describeActions, requireNamed } from './macros.ts'
export { forgetMacros, namesOf } from './queries.ts'

/** Server part of the feature `macros`: macros: named lists of actions on a ticket. */
export const macrosFeature: Feature = { name: 'macros', titles: { macros: 'Macros' }, routes: macroRoutes }
