import { useMemo, useRef } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { Around } from '../acts/commands.ts'
import { restate } from '../cache/restate.ts'
import { applyToThread, loadedThread, refreshThread } from '../cache/thread-cache.ts'
import type { Moment } from '../cache/thread-data.ts'

/** Actions of the conversation that a bubble can call. */
export type BubbleActions = {
  /** Shows the message with this id, from a quote. */
  openQuoted: (id: string) => void
  /** Links of files ran out: read them again. */
  refresh: () => void
  resend: (message: MessageRow) => void
  /** Shows its way, and what can be done about it. */
  trail: (message: MessageRow) => void
  cancel: (message: MessageRow) => void
  /** Takes a message back that has not left. */
  undo: (message: MessageRow) => void
  commandsOf: (message: MessageRow) => Promise<readonly Command[]>
  /** What the conversation gives to the commands of its messages. */
  around: () => Around
  /** Begins a conversation with a contact, where that is possible from here. */
  start: ((contactId: number) => void) | undefined
}

type Given = Around & {
  onShow: (moment: Moment) => Promise<void>
  onStart: ((contactId: number) => void) | undefined
}

/** Returns the bubbles' actions as one stable object, so that they cause no re-render. */
export function useBubbleActions(given: Given): BubbleActions {
  const now = useRef(given)
  now.current = given
  return useMemo<BubbleActions>(
    () => ({
      openQuoted: (id) => void openQuoted(now.current, id),
      refresh: () => refreshOnce(now.current.ticketId),
      resend: (message) => void restate(message, 'retry'),
      trail: (message) => now.current.onTrail(message),
      cancel: (message) => void restate(message, 'cancel'),
      undo: (message) => void undo(message).then((done) => done && now.current.onUndone?.(message)),
      commandsOf: async (message) => (await import('../acts/commands.ts')).commandsOf(now.current, message),
      around: () => now.current,
      start: (contactId) => now.current.onStart?.(contactId),
    }),
    [],
  )
}

const refreshed = new Map<number, number>()

// Links live an hour; a picture that is really broken must not make the thread read itself again and again.
function refreshOnce(ticketId: number): void {
  if (Date.now() - (refreshed.get(ticketId) ?? 0) < 5 * 60_000) return
  refreshed.set(ticketId, Date.now())
  void refreshThread(ticketId)
}

async function openQuoted({ ticketId, onShow }: Given, id: string): Promise<void> {
  const loaded = loadedThread(ticketId)?.messages.find((message) => message.id === id)
  if (loaded) return onShow(loaded)
  // Message ids are UUIDv7: the first 48 bits are the moment it was stored, close enough to find its page.
  const stored = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  if (Number.isFinite(stored)) await onShow({ timestamp: stored })
}

async function undo({ id, ticketId }: MessageRow): Promise<boolean> {
  try {
    const { status, ack } = await call(messages.cancel, { params: { id } }, { quiet: true })
    applyToThread(ticketId, { type: 'ack', payload: { id, ticketId, status, ack, errorCode: null, isLast: false } })
    return true
  } catch (error) {
    notifyError(error)
    return false
  }
}
