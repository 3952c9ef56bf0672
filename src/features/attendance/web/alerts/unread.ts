import { type Bucket, bucketOf } from '#domain/tickets/bucket.ts'
import { tickets } from '#features/ledger/addresses.ts'
import type { TicketDelta } from '#features/ledger/ticket-rows.ts'
import { type Tab, tabOf } from '#features/tickets/web/choices/bucket.ts'
import { readAll } from '#web/resource/read-all.ts'
import { may } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { setUnread } from '#web/shell/attention.ts'

const known = new Map<number, { bucket: Bucket; tab: Tab; isUnread: boolean }>()
const touched = new Set<number>()
let round = 0
let isDue = false

const reconcileMs = 300
const most = 120

/** Records a ticket's state; returns its previous bucket, undefined if this tab did not know it. */
export function noteTicket(ticket: TicketDelta): Bucket | undefined {
  const before = known.get(ticket.id)
  touched.add(ticket.id)
  count(ticket)
  return before?.bucket
}

/** Records that a ticket is no longer visible to the person. */
export function noteGone(id: number): void {
  touched.add(id)
  known.delete(id)
  countSoon()
}

/** Checks whether a ticket is unread for the person. */
export const isUnread = (id: number): boolean => known.get(id)?.isUnread ?? false

/**
 * Loads the person's unread conversations, own ones and visible pending ones; events keep the count afterwards. Loads no
 * more than a title can show.
 */
export async function readUnread(): Promise<void> {
  if (!may('tickets:read')) return
  round += 1
  const own = round
  touched.clear()
  const found = [
    ...(await read({ scope: 'mine' })),
    ...(await read({ tab: 'pending', isGroup: false, isNotAssignedUser: true })),
  ]
  if (own !== round) return
  for (const id of [...known.keys()]) if (!touched.has(id)) known.delete(id)
  for (const ticket of found) if (!touched.has(ticket.id)) count(ticket)
  countSoon()
}

type Asked = { scope: 'mine' } | { tab: 'pending'; isGroup: false; isNotAssignedUser: true }

const read = (asked: Asked): Promise<TicketDelta[]> =>
  readAll(tickets.list, (page) => page.tickets, { most, query: { ...asked, withUnreadMessages: true }, quiet: true })

function count(ticket: TicketDelta): void {
  const bucket = bucketOf(ticket, viewer().userId)
  known.set(ticket.id, { bucket, tab: tabOf(ticket), isUnread: bucket !== null && ticket.unreadMessages > 0 })
  countSoon()
}

// Debounced: messages read on arrival would make the title flicker.
function countSoon(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    const tabs = Map.groupBy(
      [...known.values()].filter((one) => one.isUnread),
      (one) => one.tab,
    )
    setUnread(Object.fromEntries([...tabs].map(([tab, those]) => [tab, those.length])))
  }, reconcileMs)
}
