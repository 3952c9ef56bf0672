import { unlockSounds } from './alerts/unlock.ts'
import { addTicketActs } from './commands/commands.ts'
import { addExtras } from './commands/extra.ts'

/** Registers commands, enables sounds and loads the context panel, at the first use of the attendance screen. */
export function begin(): void {
  addExtras()
  addTicketActs()
  unlockSounds()
  void import('./panel/ContextPanel.tsx')
}
