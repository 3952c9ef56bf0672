import type { WebFeature } from '#web/shell/screens.ts'
import { fileErrors } from '../errors.ts'

/** What a browser knows of stored files. */
export const filesWeb: WebFeature = { errors: fileErrors }
