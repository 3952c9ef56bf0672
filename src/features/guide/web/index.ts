import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { guide } from '../addresses.ts'

/** Card with the first steps, loaded lazily. */
export const FirstSteps = lazyPart(async () => (await import('./FirstSteps.tsx')).FirstSteps)

/** Web part of the feature `guide`: first steps of users, and health of the set-up. */
export const guideWeb: WebFeature = {
  screens: [],
  health: async () => (await call(guide.health, {}, { quiet: true })).health,
}
