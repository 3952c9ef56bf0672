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

/** Takes in what was told of a ticket; answers where it stood before, undefined when this tab had not known of it. */
export function noteTicket(ticket: TicketDelta): Bucket | undefined {
  const before = known.get(ticket.id)
  touched.add(ticket.id)
  count(ticket)
  return before?.bucket
}

/** Takes in that a ticket left the person's sight. */
export function noteGone(id: number): void {
  touched.add(id)
  known.delete(id)
  countSoon()
}

/** Whether a ticket waits to be read by the person. */
export const isUnread = (id: number): boolean => known.get(id)?.isUnread ?? false

/**
 * Reads which conversations of the person have something unread: their own, and the free ones that they see. From then on
 * events keep the count; more of either are not looked for than a title can show.
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

// What is read as it arrives is not counted: the title would flicker with every message of an open conversation.
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
