import type { WebFeature } from '#web/shell/screens.ts'
import { connectionErrors } from '../errors.ts'

/** What a browser knows of connections. */
export const connectionsWeb: WebFeature = { errors: connectionErrors }
