import { MOST_DRAFT, mergeDrafts } from '#domain/messages/drafts.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { ticketEvents } from '#features/ledger/event-addresses.ts'
import { isApiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { connectionState, on } from '#web/realtime/realtime.ts'
import { changeRow } from '../ticket/store.ts'
import { prefix, readStored, type SavedDraft, saveDraft, savedDraft, type Versioned } from './draft-store.ts'

const waitMs = 1200
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const underway = new Set<number>()
/** Ids of tickets that were opened since the page loaded. */
const opened = new Set<number>()

/** Drafts edited in this tab that the server does not have yet: locks that keep other tabs from saving them. */
const writing = new Map<number, () => void>()

// Undefined on plain http outside of localhost: two tabs may then save the same draft, which the server detects.
const locks: LockManager | undefined = navigator.locks

function acquire(ticketId: number): void {
  if (writing.has(ticketId)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  writing.set(ticketId, resolve)
  void locks?.request(prefix() + ticketId, () => promise)
}

function release(ticketId: number): void {
  writing.get(ticketId)?.()
  writing.delete(ticketId)
}

// Another tab may have written the stored draft, and may be closed by now.
async function pushLeft(ticketId: number): Promise<void> {
  if (writing.has(ticketId) || !locks) return pushDraft(ticketId)
  await locks.request(prefix() + ticketId, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    readStored(ticketId)
    await pushDraft(ticketId)
  })
}

/** Saves a draft on the server, debounced; an empty one at once. */
export function pushSoon(ticketId: number): void {
  acquire(ticketId)
  clearTimeout(timers.get(ticketId))
  const wait = savedDraft(ticketId).body === '' ? 0 : waitMs
  timers.set(
    ticketId,
    setTimeout(() => void pushDraft(ticketId), wait),
  )
}

/** Ends editing in a conversation: a note with text remains a note, an empty one resets to a reply. */
export async function leaveDraft(ticketId: number): Promise<void> {
  const draft = savedDraft(ticketId)
  if (draft.isNote && draft.body === '') saveDraft(ticketId, { ...draft, isNote: false, synced: false })
  await pushDraft(ticketId)
}

/** Saves an unsaved draft on the server; on a conflict keeps the other device's draft as `other`. */
export async function pushDraft(ticketId: number): Promise<void> {
  clearTimeout(timers.get(ticketId))
  const draft = savedDraft(ticketId)
  const { body, isNote, quotedMsg, mail, revision } = draft
  if (draft.synced || draft.other || underway.has(ticketId) || body.length > MOST_DRAFT) return
  underway.add(ticketId)
  let isRepeated = false
  try {
    const given = { body, isNote, mail, revision, quotedMsgId: quotedMsg?.id ?? null }
    const saved = await call(tickets.draft, { params: { id: ticketId }, body: given }, { quiet: true })
    const now = savedDraft(ticketId)
    isRepeated = now !== draft && !now.synced
    saveDraft(ticketId, { ...now, revision: saved.revision, synced: !isRepeated })
  } catch (error) {
    isRepeated = refused(ticketId, error)
  } finally {
    underway.delete(ticketId)
  }
  if (isRepeated) pushSoon(ticketId)
  else if (savedDraft(ticketId).synced) release(ticketId)
}

// Returns whether to retry at once; without a connection it waits for one.
function refused(ticketId: number, error: unknown): boolean {
  if (!isApiError(error)) return false
  const { body, isNote, quotedMsg, mail } = savedDraft(ticketId)
  // The quoted message is gone: drop the quote.
  if (error.code === 'ERR_FETCH_WAPP_MSG' && quotedMsg) {
    saveDraft(ticketId, { ...savedDraft(ticketId), quotedMsg: null })
    return true
  }
  if (error.code !== 'ERR_DRAFT_CHANGED') return false
  const there = error.details['draft'] as Versioned
  const choice = mergeDrafts(body, there.body)
  if (choice === 'other') saveDraft(ticketId, { ...there, synced: true })
  else saveDraft(ticketId, { body, isNote, quotedMsg, mail, ...meeting(there, choice) })
  return choice === 'own'
}

const meeting = (there: Versioned, choice: 'own' | 'ask'): Pick<SavedDraft, 'revision' | 'synced' | 'other'> => ({
  revision: there.revision,
  synced: false,
  ...(choice === 'ask' && { other: there }),
})

/** Resolves a draft conflict with the person's choice. */
export function chooseDraft(ticketId: number, choice: 'own' | 'other'): void {
  const { other, ...own } = savedDraft(ticketId)
  if (other) saveDraft(ticketId, choice === 'other' ? { ...other, synced: true } : own)
  void pushDraft(ticketId)
}

/** Opens a conversation's draft: saves a local one that was never saved, and reads the server's. */
export async function openDraft(ticketId: number, has: boolean): Promise<void> {
  opened.add(ticketId)
  const draft = savedDraft(ticketId)
  if (!draft.synced) return pushLeft(ticketId)
  if (has) return readDraft(ticketId)
  // Sent or emptied on another device.
  if (draft.body !== '') saveDraft(ticketId, { ...draft, body: '', quotedMsg: null, mail: null })
}

async function readDraft(ticketId: number): Promise<void> {
  const there = await call(tickets.getDraft, { params: { id: ticketId } }, { quiet: true }).catch(() => null)
  const now = savedDraft(ticketId)
  if (!there) return
  if (!now.synced) return pushDraft(ticketId)
  if (there.revision >= now.revision) saveDraft(ticketId, { ...there, synced: true })
}

/** Saves every unsaved draft of this browser. */
function pushAll(): void {
  const start = prefix()
  for (const key of Object.keys(localStorage)) if (key.startsWith(start)) void pushLeft(Number(key.slice(start.length)))
}

let started = false

/** Starts draft synchronisation with other devices; idempotent. */
export function startDrafts(): void {
  if (started) return
  started = true
  on(ticketEvents.draft, ({ id, revision, draft }) => {
    const now = savedDraft(id)
    if (!now.synced || revision <= now.revision) return
    if (opened.has(id)) void readDraft(id)
    else changeRow(id, { draft })
  })
  connectionState.subscribe((state) => {
    if (state !== 'open') return
    pushAll()
    for (const id of opened) if (savedDraft(id).synced) void readDraft(id)
  })
  addEventListener('online', pushAll)
  addEventListener('pagehide', pushAll)
  pushAll()
}
