import type { Feature } from '#server/feature.ts'
import { macroRoutes } from './macros.ts'

export { actionsOf, describeActions, requireNamed } from './macros.ts'
export { forgetMacros, namesOf } from './queries.ts'

/** Several actions on a ticket under one name. */
export const macrosFeature: Feature = { name: 'macros', titles: { macros: 'Macros' }, routes: macroRoutes }
