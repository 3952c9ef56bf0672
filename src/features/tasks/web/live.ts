import { call } from '#web/client.ts'
import { on, onReconnect, onResync } from '#web/realtime/realtime.ts'
import { may, onPermissions } from '#web/session/permissions.ts'
import { openTasks } from '#web/shell/attention.ts'
import { createSoon } from '#web/soon.ts'
import { taskChanged, taskCounts, taskEvents } from '../addresses.ts'

/** Counts the user's open tasks on every screen, and shows assigned tasks and reminders. */
export function startTasks(): void {
  on(taskEvents.notice, (notice) => {
    countSoon()
    void import('./announce.ts').then(({ announce }) => announce(notice))
  })
  on(taskChanged, countSoon)
  onResync(countSoon)
  onReconnect(countSoon)
  onPermissions(countSoon)
  countSoon()
}

const countSoon = createSoon(() => void count(), 500, 3000)

async function count(): Promise<void> {
  if (!may('tasks:write')) return openTasks.set(0)
  try {
    const { delayed, today } = await call(taskCounts.mine, {}, { quiet: true })
    openTasks.set(delayed + today)
  } catch {
    // The number stays until the next event.
  }
}
