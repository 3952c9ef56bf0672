import { unlockSounds } from './alerts/unlock.ts'
import { addTicketActs } from './commands/commands.ts'
import { addExtras } from './commands/extra.ts'

/** What the attendance screen has once somebody is there. */
export function begin(): void {
  addExtras()
  addTicketActs()
  unlockSounds()
  void import('./panel/ContextPanel.tsx')
}
