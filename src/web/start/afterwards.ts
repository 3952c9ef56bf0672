import { startClocks } from '../realtime/clocks.ts'
import { watchIdle } from '../session/idle.ts'
import { checkHours, reloadOwn } from '../shell/account.ts'
import { allDeferred } from './deferred.ts'
import { watchReloads } from './reloads.ts'
import { registerSoon } from './service-worker.ts'
import type { BootModule } from './start.ts'

/** Modules that start after the page has loaded, so that the first screen has the network for itself. */
export const afterwards: readonly BootModule[] = [
  { name: 'clocks', start: () => startClocks({ readProfile: reloadOwn, checkHours }) },
  { name: 'idle', start: () => watchIdle() },
  { name: 'reloads', start: watchReloads },
  { name: 'worker', start: registerSoon },
  ...allDeferred().map((load) => ({ name: 'feature', start: async () => (await load())() })),
]
