import { isBefore, lowersUnread } from '#domain/tickets/reading.ts'
import { tickets } from '#features/ledger/addresses.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail, TicketRow } from '#features/ledger/ticket-rows.ts'
import { notePosition, positionOf } from '#features/messages/web/cache/positions.ts'
import { changeRow, isGoneSince, mark, ticketRow, touchedSince } from '#features/messages/web/ticket/store.ts'
import { rowOf, saveTicket } from '#features/messages/web/ticket/ticket.ts'
import type { CallInput } from '#kit/contract.ts'
import { acquirePresence, changedOf } from '#web/alerts/presence.ts'
import { call } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { pathOf } from '../choices/bucket.ts'
import { refreshSoon } from '../lists/lists.ts'
import { receiveRow } from '../live/tickets.ts'

type Change = CallInput<typeof tickets.update>['body']
type Open = (id: number) => void

/** Time within which every tab has received a change made here, in ms; until then it triggers no notification. */
const publishedWithinMs = 3000

/** Changes a ticket; returns true on success. Shows a refusal, and offers the conflicting ticket if there is one. */
export async function change(id: number, body: Change, open?: Open): Promise<boolean> {
  try {
    await update(id, body)
    return true
  } catch (error) {
    await explain(error, open)
    return false
  }
}

const update = (id: number, body: Change): Promise<void> =>
  taking(id, () => call(tickets.update, { params: { id }, body }, { quiet: true }))

/** Requests a change of a ticket and stores the response, unless an event was newer. */
export async function taking(id: number, ask: () => Promise<TicketDetail>): Promise<void> {
  const since = mark()
  const found = await changingHere(id, ask)
  if (!isGoneSince(id, since)) take(found)
}

/** Runs a change made in this tab, which no tab announces to this person. */
export async function changingHere<T>(id: number, ask: () => Promise<T>): Promise<T> {
  const release = acquirePresence(changedOf(pathOf(id)))
  try {
    return await ask()
  } finally {
    setTimeout(release, publishedWithinMs)
  }
}

/** Stores the ticket of a write response. */
export function take(found: TicketDetail): void {
  saveTicket(found)
  receiveRow(rowOf(found))
}

/** Explains why a move was refused; names the conflicting ticket, and opens it if the person may see it. */
export const explain = async (error: unknown, open?: Open): Promise<void> =>
  (await import('./explain.ts')).explain(error, open)

/** “Atender”: assigns the ticket to the user; asks before taking it from a colleague. */
export async function accept(row: Pick<TicketRow, 'id' | 'userId' | 'username' | 'name'>): Promise<boolean> {
  const { userId: me } = viewer()
  const isColleagues = row.userId !== null && row.userId !== me
  if (isColleagues && !(await (await import('./taking.ts')).confirmTaking(row))) return false
  return change(row.id, { status: 'open', userId: me, isTransference: isColleagues })
}

/** “Devolver à fila”. */
export const giveBack = (id: number): Promise<boolean> => change(id, { status: 'pending', userId: null })

/** “Reabrir” as one's own. */
export const reopen = (id: number, open: Open): Promise<boolean> =>
  change(id, { status: 'open', userId: viewer().userId }, open)

// Tickets that the person marked as unread: viewing them does not mark them as read, opening them again does.
const leftUnread = new Set<number>()

/** Marks a conversation as opened: from now on, seeing its end counts as reading. */
export const beginReading = (id: number): void => void leftUnread.delete(id)

/**
 * Reports that the conversation was seen up to a message. The server moves the reading position and decides whether the
 * unread count falls; where the browser can decide that too, the list shows it at once.
 */
export function markSeen(id: number, last: Seen): void {
  if (leftUnread.has(id)) return
  const row = ticketRow(id)
  const known = positionOf(id)
  // Rows do not name the users of a group: the server decides.
  const reader = { id: viewer().userId }
  const lowers = row && row.unreadMessages > 0 && (row.isGroup || lowersUnread({ ...row, groupUserIds: [] }, reader))
  if (known && !isBefore(known, last) && !lowers) return
  if (lowers && !row.isGroup) changeRow(id, { unreadMessages: 0 })
  const isWaiting = seen.has(id)
  seen.set(id, last)
  if (!isWaiting) void sendSeen(id)
}

type Seen = Pick<MessageRow, 'id' | 'timestamp' | 'seq'>
// Last seen message of each conversation with a running request: one request at a time.
const seen = new Map<number, Seen>()

async function sendSeen(id: number): Promise<void> {
  for (let last = seen.get(id); last; ) {
    const since = mark()
    try {
      const { unreadMessages } = await call(
        tickets.read,
        { params: { id }, body: { messageId: last.id } },
        { quiet: true },
      )
      notePosition(id, last)
      // Events since the request are newer than this response.
      if (!touchedSince(since).includes(id)) changeRow(id, { unreadMessages })
    } catch {
      refreshSoon() // the list shows what the server knows
    }
    const after = seen.get(id)
    last = after === last ? undefined : after
  }
  seen.delete(id)
}

/** Sets the unread count of a ticket; the list shows it at once. */
export async function setUnread(id: number, unreadMessages: number): Promise<void> {
  if (unreadMessages > 0) leftUnread.add(id)
  const before = ticketRow(id)?.unreadMessages ?? 0
  if (before === unreadMessages) return
  changeRow(id, { unreadMessages })
  try {
    await update(id, { unreadMessages })
  } catch {
    changeRow(id, { unreadMessages: before })
  }
}

/** Sets the tags of a ticket. */
export const setTags = (id: number, tagIds: number[]): Promise<boolean> => change(id, { tagIds })
