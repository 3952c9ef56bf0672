import { takeOver } from '#web/alerts/election.ts'
import { unlockOnTouch } from '#web/alerts/sounds.ts'

/** Lets this tab sound after the first click or key on it, and takes the role of sounding over. */
export const unlockSounds = (): void => unlockOnTouch(takeOver)
