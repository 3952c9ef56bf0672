import type { WebFeature } from '#web/shell/screens.ts'
import { deviceErrors } from '../errors.ts'

export { DevicesSection } from './DevicesSection.tsx'
export { SocketLogSection } from './SocketLogSection.tsx'

/** What a browser knows of sessions. */
export const devicesWeb: WebFeature = { errors: deviceErrors }
