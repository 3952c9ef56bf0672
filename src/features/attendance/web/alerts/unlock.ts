import { takeOver } from '#web/alerts/election.ts'
import { unlockOnTouch } from '#web/alerts/sounds.ts'

/** Enables sounds in this tab at its first click or key, and makes it the elected tab. */
export const unlockSounds = (): void => unlockOnTouch(takeOver)
