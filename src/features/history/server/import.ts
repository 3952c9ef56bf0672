import { z } from 'zod'
import { lastOf, present } from '#domain/present.ts'
import { findImport, lockImport, type StoredImport, saveImport } from '#features/ledger/server/history/index.ts'
import { appendEvents } from '#features/ledger/server/ingest/index.ts'
import { anyWaiting } from '#features/ledger/server/journal/index.ts'
import { adapterOf, answerWithin } from '#features/ledger/server/ports/index.ts'
import { knownProviderIds } from '#features/ledger/server/ticket/index.ts'
import type { ErrorCode } from '#kit/errors.ts'
import {
  type ChannelAdapter,
  type ChannelQuestions,
  type HistoryMessage,
  isSendFailure,
  sendFailure,
} from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { type JobRun, job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { publishImport } from './progress.ts'

/** Maximum number of messages written to the journal at once; the next follow when these are processed. */
const BLOCK = 50
const ANSWER_MS = 30_000
/** Number of consecutive channel failures after which an import fails. */
const MOST_FAILURES = 5
/** Time after which an import yields to other jobs. */
const TURN_MS = 10_000
const LOOK_EVERY_MS = 50
/** Maximum time to wait for a block, since much may arrive meanwhile. */
const BLOCK_MS = 30_000
/** Priority of imported messages, below live ones. */
const BEHIND_LIVE = 10

type Of = { readonly tenantId: number; readonly importId: string }
type Turn = Of & JobRun & { readonly platform: Platform; readonly adapter: ChannelAdapter }

/**
 * Job that imports a channel's history, one conversation after the other, oldest messages first. After a crash it requests
 * the conversation again; messages already in the journal or ledger are skipped.
 */
export const importJob = job({
  name: 'history:import',
  schema: z.object({ importId: z.string() }),
  async run(platform, of, run) {
    const found = await platform.db.read(of.tenantId, (db) => findImport(db, of.importId))
    if (found?.status !== 'running') return
    const turn = { ...of, ...run, platform, adapter: await adapterOf(platform, of.tenantId, found.connection_id) }
    const until = platform.now().getTime() + TURN_MS
    try {
      while (await bringNext(turn)) {
        run.requireOwnership()
        if (platform.now().getTime() < until) continue
        await unit(platform, { tenantId: of.tenantId, user: null }, async (ctx) => enqueueImport(ctx, found))
        return
      }
    } catch (error) {
      if (!isSendFailure(error)) throw error
      platform.log.warn({ err: error, tenantId: of.tenantId, importId: of.importId }, 'a channel told no history')
      await unit(platform, { tenantId: of.tenantId, user: null }, (ctx) => countFailure(ctx, of.importId))
    }
  },
})

/** Enqueues the next job of an import; its jobs run one after the other. */
export function enqueueImport(
  ctx: Pick<Ctx, 'enqueue' | 'tenantId'>,
  { id: importId, connection_id }: Pick<StoredImport, 'id' | 'connection_id'>,
  runAt?: Date,
): void {
  const queue = `history:${ctx.tenantId}:${connection_id}`
  ctx.enqueue(importJob, { importId }, { key: queue, queue, priority: BEHIND_LIVE, ...(runAt ? { runAt } : {}) })
}

async function countFailure(ctx: Ctx, importId: string): Promise<void> {
  const found = await lockImport(ctx.db, importId)
  if (found?.status !== 'running') return
  const failures = found.failures + 1
  if (failures >= MOST_FAILURES) return end(ctx, found, 'failed', 'ERR_WAPP_NOT_INITIALIZED')
  await saveImport(ctx.db, importId, { failures }, ctx.now)
  enqueueImport(ctx, found, new Date(ctx.now.getTime() + 5000 * 4 ** (failures - 1)))
}

/** Ends an import at its present state, and publishes that conversations must be reloaded. */
export async function end(
  ctx: Ctx,
  found: StoredImport,
  status: 'done' | 'canceled' | 'failed',
  code: ErrorCode | null = null,
): Promise<void> {
  await saveImport(ctx.db, found.id, { status, error_code: code, ended_at: ctx.now, chats: [] }, ctx.now)
  publishImport(ctx, present(await findImport(ctx.db, found.id)))
}

/** Imports the next conversation, or the next page of the channel's list; returns false at the end or after a cancellation. */
async function bringNext(turn: Turn): Promise<boolean> {
  const { platform, tenantId, importId } = turn
  const found = await platform.db.read(tenantId, (db) => findImport(db, importId))
  if (found?.status !== 'running') return false
  const [chat] = found.chats
  if (chat !== undefined) return bringChat(turn, found, chat)
  if (!found.is_listed) {
    const page = await askFor(turn, found)
    return change(turn, (ctx) => saveImport(ctx.db, importId, { ...page, failures: 0 }, ctx.now))
  }
  await change(turn, (ctx) => end(ctx, found, 'done'))
  return false
}

async function askFor(turn: Turn, { conversation_key, connection_id: connectionId, cursor }: StoredImport) {
  if (conversation_key !== null) return { chats: [conversation_key], is_listed: true, chats_total: 1 }
  const about = { tenantId: turn.tenantId, connectionId, after: cursor }
  const { chats, next, total } = await answerWithin(ANSWER_MS, ask(turn.adapter, 'chats', about))
  return { chats, cursor: next, is_listed: next === null, chats_total: total }
}

async function bringChat(turn: Turn, found: StoredImport, chat: string): Promise<boolean> {
  const messages = await messagesOf(turn, found, chat)
  for (let from = 0; from < messages.length; from += BLOCK)
    if (!(await bringBlock(turn, found, messages.slice(from, from + BLOCK)))) return false
  return change(turn, async (ctx, { id, chats, chats_done, messages_read }) => {
    const done = { chats: chats.slice(1), chats_done: chats_done + 1, failures: 0 }
    await saveImport(ctx.db, id, { ...done, messages_read: messages_read + messages.length }, ctx.now)
    publishImport(ctx, present(await findImport(ctx.db, id)))
  })
}

const isWithin = ({ since, until }: StoredImport, { message: { timestamp } }: HistoryMessage): boolean =>
  timestamp >= (since?.getTime() ?? 0) && timestamp <= (until?.getTime() ?? Number.POSITIVE_INFINITY)

// Loads a whole conversation before writing, so that messages of the same second keep their order.
async function messagesOf(turn: Turn, found: StoredImport, conversationKey: string): Promise<HistoryMessage[]> {
  const { tenantId, adapter, requireOwnership } = turn
  const messages: HistoryMessage[] = []
  let before: string | null = null
  do {
    const limit = found.per_chat - messages.length
    const about: ChannelQuestions['history']['about'] = {
      ...{ tenantId, connectionId: found.connection_id, conversationKey, before, limit },
    }
    const page: ChannelQuestions['history']['answer'] = await answerWithin(ANSWER_MS, ask(adapter, 'history', about))
    requireOwnership()
    if (!found.has_groups && page.messages.some(({ isGroup }) => isGroup)) return []
    messages.unshift(...page.messages.filter((one) => isWithin(found, one)).slice(-limit))
    // If the page's oldest message precedes the period, earlier pages do too.
    const [oldest] = page.messages
    before = oldest && found.since && oldest.message.timestamp < found.since.getTime() ? null : page.before
  } while (before !== null && messages.length < found.per_chat)
  return messages
}

/** Writes messages to the journal and waits until they are processed, so that live messages never wait long. */
async function bringBlock(turn: Turn, found: StoredImport, block: readonly HistoryMessage[]): Promise<boolean> {
  const { platform, tenantId } = turn
  const { connection_id: connectionId } = found
  const keys = block.map(({ dedupeKey }) => dedupeKey)
  const worked = async () => {
    turn.joinOthers?.()
    const isWaiting = () => platform.db.read(tenantId, (db) => anyWaiting(db, connectionId, keys))
    for (let waited = 0; waited < BLOCK_MS && (await isWaiting()); waited += LOOK_EVERY_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  // Waits for messages that a crashed run left in the journal, which would otherwise be counted twice.
  await worked()
  const isRunning = await change(turn, async (ctx, { id, messages_new }) => {
    const named = block.map(({ message }) => ({ connectionId, providerId: message.providerId }))
    const { known } = await knownProviderIds(ctx.db, named)
    const fresh = block.filter(({ message }) => !known.has(`${connectionId}|${message.providerId}`))
    const appended = await appendEvents(ctx, connectionId, fresh)
    const reached = { messages_new: messages_new + appended, reached_at: new Date(lastOf(block).message.timestamp) }
    await saveImport(ctx.db, id, reached, ctx.now)
  })
  await platform.checkpoint('history block committed')
  await worked()
  return isRunning
}

// Locks the import, as a cancellation does: nothing is written after it.
const change = ({ platform, tenantId, importId }: Turn, work: (ctx: Ctx, found: StoredImport) => Promise<void>) =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const found = await lockImport(ctx.db, importId)
    if (found?.status !== 'running') return false
    await work(ctx, found)
    return true
  })

const ask = <Q extends 'chats' | 'history'>(
  adapter: ChannelAdapter,
  question: Q,
  about: ChannelQuestions[Q]['about'],
): Promise<ChannelQuestions[Q]['answer']> => {
  if (!adapter.ask) throw sendFailure('refused', 'ERR_NO_HISTORY')
  return adapter.ask(question, about)
}
