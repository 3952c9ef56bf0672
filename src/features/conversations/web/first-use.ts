import { watchWheel } from '#web/ui/layout/wheel-scrolls.ts'
import { addExtras } from './acts/extra.ts'
import { unlockSounds } from './live/unlock.ts'
import { addTicketActs } from './ticket-acts/commands.ts'

/** What the attendance screen has once somebody is there. */
export function begin(): void {
  addExtras()
  addTicketActs()
  unlockSounds()
  watchWheel()
  void import('./panel/ContextPanel.tsx')
}
