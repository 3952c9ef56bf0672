import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import type { WebFeature } from '#web/shell/screens.ts'
import { guide } from '../addresses.ts'

/** The card with the first steps, for pages where somebody begins. */
export const FirstSteps = lazyPart(async () => (await import('./FirstSteps.tsx')).FirstSteps)

/** What somebody does first, and how what is set up is doing. */
export const guideWeb: WebFeature = {
  screens: [],
  health: async () => (await call(guide.health, {}, { quiet: true })).health,
}
