import { labWeb } from '#features/lab/web/index.ts'
import { ticketsWeb } from '#features/tickets/web/index.ts'
import { webchatWeb } from '#features/webchat/web/index.ts'
import type { Screen, WebFeature } from './screens.ts'

/** Every feature with screens, one line each; the only place in `web` that names features. */
const features: readonly WebFeature[] = [ticketsWeb, labWeb, webchatWeb]

/** Every screen of the product. */
export const screens: readonly Screen[] = features.flatMap((feature) => feature.screens)
