import { watchWheel } from '#web/ui/layout/wheel-scrolls.ts'
import { unlockSounds } from './alerts/unlock.ts'
import { addTicketActs } from './commands/commands.ts'
import { addExtras } from './commands/extra.ts'

/** What the attendance screen has once somebody is there. */
export function begin(): void {
  addExtras()
  addTicketActs()
  unlockSounds()
  watchWheel()
  void import('./panel/ContextPanel.tsx')
}
