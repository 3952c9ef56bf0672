import { call, queryClient } from '#web/client.ts'
import { on, onReconnect } from '#web/realtime/realtime.ts'
import { may, onStanding } from '#web/session/standing.ts'
import { setBell } from '#web/shell/attention.ts'
import { notificationEvents, notifications } from '../../notifications-contract.ts'
import { ticketEvents } from '../../tickets-contract.ts'

const restMs = 400
const mostMs = 2000

let timer: ReturnType<typeof setTimeout> | undefined
let first = 0

/** Counts what concerns the person again soon: something that may belong to it was told; many at once are one reading. */
export function bellSoon(): void {
  const now = Date.now()
  if (timer === undefined) first = now
  clearTimeout(timer)
  timer = setTimeout(read, Math.max(0, Math.min(restMs, first + mostMs - now)))
}

/** Keeps the number at the bell, and the list where it is open, in step with the server. */
export function startBell(): void {
  on(notificationEvents.changed, bellSoon)
  on(ticketEvents.gone, bellSoon)
  onReconnect(bellSoon)
  onStanding(bellSoon)
  void read()
}

async function read(): Promise<void> {
  timer = undefined
  if (!may('tickets:read')) return
  try {
    setBell((await call(notifications.unread, {}, { quiet: true })).count)
    void queryClient.invalidateQueries({ queryKey: [notifications.list.family] })
  } catch {
    // the number stays as it was until something is told again
  }
}
