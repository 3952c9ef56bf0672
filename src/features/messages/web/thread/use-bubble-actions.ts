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
  /** Shows the quoted message with this id. */
  openQuoted: (id: string) => void
  /** Reads the thread again after file links expired. */
  refresh: () => void
  resend: (message: MessageRow) => void
  /** Shows the delivery trail of a message and its remedies. */
  trail: (message: MessageRow) => void
  cancel: (message: MessageRow) => void
  /** Undoes a message that has not been sent. */
  undo: (message: MessageRow) => void
  commandsOf: (message: MessageRow) => Promise<readonly Command[]>
  /** Returns the context for the commands of messages. */
  around: () => Around
  /** Starts a conversation with a contact; undefined where that is impossible. */
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

// Links expire after an hour; a broken picture must not cause repeated reloads.
function refreshOnce(ticketId: number): void {
  if (Date.now() - (refreshed.get(ticketId) ?? 0) < 5 * 60_000) return
  refreshed.set(ticketId, Date.now())
  void refreshThread(ticketId)
}

async function openQuoted({ ticketId, onShow }: Given, id: string): Promise<void> {
  const loaded = loadedThread(ticketId)?.messages.find((message) => message.id === id)
  if (loaded) return onShow(loaded)
  // Message ids are UUIDv7: their first 48 bits are the storage time, precise enough to find the page.
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
