import { z } from 'zod'
import type { MessageData } from '#domain/messages/data.ts'
import { isTooLate } from '#domain/messages/schedule.ts'
import type { MessageStatus } from '#domain/messages/status.ts'
import { advance } from '#domain/messages/status.ts'
import { FORWARDED, type MessageType } from '#domain/messages/types.ts'
import { type ErrorCode, errorText } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isSendFailure, sendFailure } from '#providers/channels/port.ts'
import { type Ctx, type JobOptions, unit } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { insist } from '#server/db/insist.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { type ActOutcome, recordAct } from '../acts/outcome.ts'
import { applyActs } from '../acts/receive.ts'
import {
  adapterOf,
  answerWithin,
  type ChannelConversation,
  forwardSending,
  type OutboxSender,
  stopConnection,
} from '../channels.ts'
import { mentionedAfter } from '../groups/mentioned.ts'
import { applyReceipts } from '../ingest/apply-receipts.ts'
import { ledgerFacts, lockLedgerTicket } from '../ingest/ingest-queries.ts'
import type { JournalEntry } from '../ingest/journal-queries.ts'
import { setLastStatus } from '../ingest/receipt-queries.ts'
import { announceStatus } from '../messages/announce.ts'
import { addTrail, findMessages, lockMessage, type MessageRecord, updateMessage } from '../messages/queries.ts'
import { enqueueNextDue } from '../schedules/due.ts'
import { notifyLate } from '../tickets/notify.ts'
import {
  addAttempt,
  type ClaimedAct,
  claimNext,
  conversationsWaiting,
  eventsAbout,
  conversationsOf as findConversations,
  findSentId,
  hasMore,
  lockAttempt,
  type Waiting,
} from './outbox-queries.ts'
import { noteRefusal, requireReached, takeTurnOf } from './pace.ts'
import { isWritable } from './window.ts'

/** The priority of what goes ahead of other conversations. */
export const AHEAD = -10
/** After so many messages the other conversations come first. */
const MOST_IN_A_TURN = 20
/** So often the channel may fail before a message counts as failed. */
const MOST_FAILURES = 5
/** So many attempts without an answer, and a person has to decide also where the channel knows our id. */
const MOST_LOST_ATTEMPTS = 50
const SEND_TIMEOUT_MS = 120_000
/** Bytes in a second of the slowest line by which files leave. */
const SLOWEST_UPLOAD = 100_000
/** So long messages wait for a connection that its provider stopped. */
const STOPPED_MS = 24 * 3_600_000
/** How many conversations recovery looks for at once. */
const RECOVERED_AT_ONCE = 1000
/** So long an answer of the channel is kept in hand while database or disk fail. */
const INSIST_MS = 600_000

/** Sends what waits in one conversation, in order, until nothing is left, something has to be waited for, or it is others' turn. */
export const sendJob = job({
  name: 'messages:send',
  schema: z.object({ connectionId: z.number(), conversationKey: z.string() }),
  async run(platform, { tenantId, ...conversation }, run) {
    if (await forwardSending(platform, tenantId, conversation)) return
    const { connectionId: connection_id, conversationKey: conversation_key } = conversation
    const adapter = await adapterOf(platform, tenantId, connection_id)
    if (!(await sendTurn(platform, tenantId, conversation, { ...run, adapter }))) return
    await unit(platform, { tenantId, user: null }, async (ctx) =>
      enqueueSending(ctx, { connection_id, conversation_key }),
    )
  },
})

/** Sends what waits in one conversation, in order; true when it is others' turn before there is nothing left. */
export async function sendTurn(
  platform: Platform,
  tenantId: number,
  conversation: ChannelConversation,
  sender: OutboxSender,
): Promise<boolean> {
  for (let n = 0; n < MOST_IN_A_TURN; n++) if (!(await sendNext(platform, tenantId, conversation, sender))) return false
  return true
}

/** The conversations of a connection that have something to send. */
export const conversationsOf = (platform: Platform, tenantId: number, connectionId: number): Promise<string[]> =>
  platform.db.read(tenantId, (db) => findConversations(db, connectionId))

/** What was sent by a connection under a provider's id, as it went out; null where nothing was, or it was taken back. */
export const findSent = (
  platform: Platform,
  { tenantId, connectionId, providerId }: { tenantId: number; connectionId: number; providerId: string },
): Promise<ReturnType<typeof outbound> | null> =>
  platform.db.read(tenantId, async (db) => {
    const id = await findSentId(db, connectionId, providerId)
    const [message] = id === null ? [] : await findMessages(db, [id])
    return message && !message.is_deleted ? outbound(tenantId, message) : null
  })

/** Records that a conversation has something to send; its jobs run one after the other (decision B20). */
export function enqueueSending(
  ctx: Pick<Ctx, 'enqueue' | 'tenantId'>,
  {
    connection_id: connectionId,
    conversation_key: conversationKey,
  }: { connection_id: number; conversation_key: string },
  options: Pick<JobOptions, 'runAt' | 'priority'> = {},
): void {
  const queue = `send:${ctx.tenantId}:${connectionId}:${conversationKey}`
  ctx.enqueue(sendJob, { connectionId, conversationKey }, { key: queue, queue, ...options })
}

/**
 * Gives a job to every conversation that has something to send and may have none: its job was given up because the
 * process died under it again and again. At start all of them, later those that outlasted every waiting time.
 */
export async function recoverSends(
  platform: Platform,
  untouchedForMs: number,
  most = RECOVERED_AT_ONCE,
): Promise<void> {
  let after: Waiting | undefined
  do {
    const waiting = await platform.db.asPlatform((db) => conversationsWaiting(db, { untouchedForMs, after, most }))
    for (const { tenant_id: tenantId, ...conversation } of waiting)
      await unit(platform, { tenantId, user: null }, async (ctx) => enqueueSending(ctx, conversation))
    after = waiting.length === most ? waiting.at(-1) : undefined
  } while (after)
}

/**
 * One message: claim it (committed before the call, so that a crash leaves a trace), call the provider outside of any
 * transaction, record what it said. Found claimed already, the answer of an earlier call was lost: it is repeated only
 * where the provider knows our id, else it becomes "incerto" and a person decides (decision B8). A worker that was frozen
 * meanwhile neither sends nor records over whoever took its place (decision 0014).
 */
async function sendNext(
  platform: Platform,
  tenantId: number,
  conversation: ChannelConversation,
  sender: OutboxSender,
): Promise<boolean> {
  const { adapter, requireOwnership, requireLease } = sender
  const base = { tenantId, user: null }
  const claimed = await unit(platform, { ...base, isGuarded: true }, async (ctx) => {
    await requireLease?.(ctx.db)
    const found = await claimNext(ctx.db, conversation)
    if (!found) return null
    requireOwnership()
    if ('act' in found) return found
    const next = found.message
    // Its channel was down. What an earlier attempt may have sent is not called canceled.
    if (!next.wasQueued && next.scheduleDate && isTooLate(next.scheduleDate.getTime(), ctx.now.getTime())) {
      await record(platform, ctx, next.id, 'canceled', { step: 'late', errorCode: 'ERR_SCHEDULE_LATE' })
      await notifyLate(ctx, [next.id])
      return { skip: true as const }
    }
    const { idempotentSending: isIdempotent } = capabilitiesOf(next.type)
    if (next.wasQueued && (!isIdempotent || next.attempts >= MOST_LOST_ATTEMPTS)) {
      await record(platform, ctx, next.id, 'uncertain', { step: 'uncertain' })
      return { skip: true as const }
    }
    if (!(await isWritable(ctx, next.type, conversation))) {
      const reason = errorText('ERR_WINDOW_CLOSED')
      await record(platform, ctx, next.id, 'failed', { step: 'failed', reason, errorCode: 'ERR_WINDOW_CLOSED' })
      return { skip: true as const }
    }
    const turn = await takeTurnOf(ctx, conversation, next)
    if ('at' in turn) {
      const { connectionId: connection_id, conversationKey: conversation_key } = conversation
      enqueueSending(ctx, { connection_id, conversation_key }, { runAt: turn.at })
      return null
    }
    const attempt = next.attempts + 1
    const [attemptId, [message]] = await Promise.all([
      addAttempt(ctx.db, next.id, attempt),
      findMessages(ctx.db, [next.id]),
    ])
    const about = { type: next.type, isIdempotent, isFirst: turn.isFirst, failures: next.failures + 1 }
    return { skip: false as const, message: message!, attempt, attemptId, ...about }
  })
  if (!claimed) return false
  if ('act' in claimed) return actNext(platform, tenantId, conversation, sender, claimed.act)
  if (claimed.skip) return true
  const { message, type, isIdempotent, isFirst, attempt, attemptId, failures } = claimed
  // `ask` goes out together with what holds the message.
  const conclude = <T = null>(
    work: (ctx: Ctx, locked: Locked, asked: T) => Promise<void>,
    ask: (db: Queryable) => Promise<T> = async () => null as T,
    isKnown = false,
  ) =>
    insist(INSIST_MS, () =>
      unit(platform, { ...base, isGuarded: true }, async (ctx) => {
        const [locked, asked] = await Promise.all([lockAttempt(ctx.db, message, attemptId), ask(ctx.db)])
        // That it was sent stays true, whatever was written meanwhile.
        const isOurs = locked !== null && (isKnown || locked.message.status === 'queued')
        if (isOurs) await work(ctx, locked, asked)
        return isOurs
      }),
    )
  await platform.checkpoint('message claimed')
  requireOwnership()
  const send = async () => {
    if (isFirst) await requireReached(sender, { tenantId, type }, conversation)
    return answerWithin(sendingMs(message), adapter.send(outbound(tenantId, message)))
  }
  const sent = await send().catch((error: unknown) => ({ error }))
  if (!('error' in sent)) {
    const { providerId } = sent
    await platform.checkpoint('provider accepted')
    const events = (db: Queryable) => eventsAbout(db, conversation.connectionId, providerId)
    const apply = async (ctx: Ctx, about: readonly JournalEntry[]) => {
      await applyReceipts(ctx, about)
      await applyActs(ctx, about)
    }
    const reconcile = async (ctx: Ctx, locked: Locked, known: readonly JournalEntry[]) => {
      await recordLocked(platform, ctx, locked, 'sent', { step: 'sent', providerId })
      await apply(ctx, known)
    }
    await conclude(reconcile, events, true)
    // And those that were worked on, and found no message, while this was being committed.
    const look = (db: Queryable) => Promise.all([events(db), hasMore(db, conversation)])
    const [late, isMore] = await insist(INSIST_MS, () => platform.db.read(tenantId, look))
    if (late.length > 0) await insist(INSIST_MS, () => unit(platform, base, (ctx) => apply(ctx, late)))
    return isMore
  }
  const { error } = sent
  // A channel that is part of this installation: the job comes again, and the attempt is not the channel's failure.
  if (isInfrastructure(error) && !isSendFailure(error) && isIdempotent) throw error
  // What an adapter did not foresee may have happened after the sending, and says in words of its own what nobody checked.
  const failure = isSendFailure(error) ? error : sendFailure('unknown', 'falha inesperada no canal')
  const { kind, message: reason, isHaste, stops } = failure
  platform.log.warn({ err: error, tenantId, messageId: message.id, failures, kind }, 'a send failed')
  if (stops) await stopConnection(platform, tenantId, conversation.connectionId, stops)
  if (kind === 'unknown' && !isIdempotent) {
    await conclude((ctx, locked) => recordLocked(platform, ctx, locked, 'uncertain', { step: 'uncertain', reason }))
    return true
  }
  // Of a connection that is kept open: its messages wait until it is back, however long that takes; a scheduled one waits
  // until it is too late for it, others a day for whoever helps a connection that its provider stopped.
  const isStopped = stops !== undefined && platform.now().getTime() - message.timestamp.getTime() < STOPPED_MS
  const isOffline =
    kind === 'unreachable' && (requireLease !== undefined || message.schedule_date !== null || isStopped)
  const isGivenUp = stops !== undefined && !isStopped
  if (kind === 'refused' || isGivenUp || (failures >= MOST_FAILURES && !isOffline)) {
    await conclude(async (ctx, locked) => {
      if (isHaste) await noteRefusal(ctx, conversation.connectionId)
      await recordLocked(platform, ctx, locked, 'failed', { step: 'failed', reason })
    })
    return true
  }
  // The conversation waits for its message; other conversations go on.
  const seconds = waitOf(isOffline ? attempt : failures)
  const isWaiting = await conclude(async (ctx) => {
    await updateMessage(ctx.db, message.id, { status: 'pending' })
    await addTrail(ctx.db, [
      {
        messageId: message.id,
        step: 'waiting',
        detail: { reason, seconds: Math.round(seconds), ...(isOffline ? { isOffline } : {}) },
      },
    ])
    enqueueSending(
      ctx,
      { connection_id: conversation.connectionId, conversation_key: conversation.conversationKey },
      { runAt: new Date(ctx.now.getTime() + seconds * 1000) },
    )
  })
  return !isWaiting
}

// What has a file is uploaded first.
const sendingMs = ({ file_size }: MessageRecord): number => SEND_TIMEOUT_MS + ((file_size ?? 0) / SLOWEST_UPLOAD) * 1000

const waitOf = (attempt: number): number => 5 * 4 ** Math.min(attempt - 1, 3) * (0.8 + Math.random() * 0.4)

/**
 * One act on a message, claimed as a message is. Repeating one changes nothing, so an answer that was lost is asked for
 * again; what the channel refuses is shown at the message, and what is behind it goes on.
 */
async function actNext(
  platform: Platform,
  tenantId: number,
  conversation: ChannelConversation,
  { adapter, requireOwnership, requireLease }: OutboxSender,
  act: ClaimedAct,
): Promise<boolean> {
  const conclude = (outcome: ActOutcome, also?: (ctx: Ctx) => void) =>
    insist(INSIST_MS, () =>
      unit(platform, { tenantId, user: null }, async (ctx) => {
        const isOurs = await recordAct(ctx, act.id, act.attempt, outcome)
        if (isOurs) also?.(ctx)
        await platform.checkpoint(`act ${outcome.status}`)
        return isOurs
      }),
    )
  await platform.checkpoint('act claimed')
  requireOwnership()
  if (act.providerId === null) {
    await conclude({ status: 'canceled', reason: 'a mensagem não saiu' })
    return true
  }
  // Whom a text mentions is looked up anew: an edit may call others.
  const mentions =
    act.type === 'edit' ? await platform.db.read(tenantId, (db) => mentionedAfter(db, act, act.body ?? '')) : null
  const named = { ...act, mentions }
  const done = await answerWithin(SEND_TIMEOUT_MS, actOn(adapter, tenantId, conversation, act.providerId, named)).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  if (!done) {
    await platform.checkpoint('provider acted')
    await conclude({ status: 'sent' })
    return true
  }
  const { error } = done
  if (isInfrastructure(error) && !isSendFailure(error)) throw error
  const { kind, message: reason } = isSendFailure(error) ? error : sendFailure('unknown', 'falha inesperada no canal')
  const failures = act.failures + 1
  platform.log.warn({ err: error, tenantId, actId: act.id, failures, kind }, 'an act on a message failed')
  const isOffline = kind === 'unreachable' && requireLease !== undefined
  if (kind === 'refused' || (failures >= MOST_FAILURES && !isOffline)) {
    await conclude({ status: 'failed', reason })
    return true
  }
  const seconds = waitOf(isOffline ? act.attempt : failures)
  const { connectionId: connection_id, conversationKey: conversation_key } = conversation
  const isWaiting = await conclude(
    { status: 'pending', reason, seconds: Math.round(seconds), isFailure: !isOffline },
    (ctx) =>
      enqueueSending(ctx, { connection_id, conversation_key }, { runAt: new Date(ctx.now.getTime() + seconds * 1000) }),
  )
  return !isWaiting
}

async function actOn(
  adapter: OutboxSender['adapter'],
  tenantId: number,
  conversation: ChannelConversation,
  providerId: string,
  { type, body, emoji, mentions, fromMe, author }: ClaimedAct,
): Promise<void> {
  if (!adapter.act) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  const to = { tenantId, ...conversation, providerId, author }
  if (type === 'edit') await adapter.act({ ...to, type, body: body ?? '', mentions })
  else if (type === 'react') await adapter.act({ ...to, type, emoji, fromMe })
  else await adapter.act({ ...to, type })
}

type About = { step: string; providerId?: string; reason?: string; errorCode?: ErrorCode }

/** A message and its ticket, held until the transaction ends. */
type Locked = NonNullable<Awaited<ReturnType<typeof lockAttempt>>>

/** Writes a status with its step, and tells it; a status only rises. */
async function record(platform: Platform, ctx: Ctx, id: string, next: MessageStatus, about: About): Promise<void> {
  const message = await lockMessage(ctx.db, id)
  if (!message) return
  const ticket = await lockLedgerTicket(ctx.db, message.ticket_id)
  await recordLocked(platform, ctx, { message, ticket }, next, about)
}

async function recordLocked(
  platform: Platform,
  ctx: Ctx,
  { message, ticket }: Locked,
  next: MessageStatus,
  about: About,
): Promise<void> {
  const { id } = message
  const status = advance(message.status as MessageStatus, next)
  const errorCode =
    about.errorCode ??
    (status === 'failed' ? 'ERR_SENDING_WAPP_MSG' : status === 'uncertain' ? 'ERR_SEND_UNCERTAIN' : null)
  const isLast =
    ticket?.last_message_from_me === true && message.timestamp.getTime() === ticket.last_message_at.getTime()
  await Promise.all([
    updateMessage(ctx.db, id, {
      status,
      error_code: errorCode,
      ...(about.providerId ? { provider_id: about.providerId } : {}),
    }),
    addTrail(ctx.db, [{ messageId: id, step: about.step, detail: about.reason ? { reason: about.reason } : {} }]),
    isLast && setLastStatus(ctx.db, [{ ticketId: ticket.id, status }]),
  ])
  if (message.schedule_date) enqueueNextDue(ctx)
  if (!ticket) return
  announceStatus(ctx, { id, ticketId: ticket.id, status, errorCode, isLast }, ledgerFacts(ticket))
  await platform.checkpoint(`message ${status}`)
}

const outbound = (tenantId: number, message: MessageRecord) => ({
  tenantId,
  connectionId: message.connection_id,
  conversationKey: message.conversation_key,
  messageId: message.id,
  type: message.media_type as MessageType,
  body: message.body,
  file: message.file_id
    ? {
        id: message.file_id,
        name: message.file_name!,
        mime: message.file_mime!,
        size: message.file_size!,
        path: message.file_path!,
        durationMs: message.file_duration_ms,
        waveform: message.file_waveform,
      }
    : null,
  quotedProviderId: message.quoted_provider_id,
  quoted: message.quoted_provider_id
    ? {
        ...{ providerId: message.quoted_provider_id, fromMe: message.quoted_from_me ?? false },
        ...{ body: message.quoted_body ?? '', author: message.quoted_sender?.identity ?? null },
      }
    : null,
  data: message.data as MessageData | null,
  isForwarded: message.send_type === FORWARDED,
  album: message.album && {
    id: message.album.id,
    images: message.album.images ?? 0,
    videos: message.album.videos ?? 0,
  },
  mentions: message.mentions,
  userName: message.user_name,
  timestamp: message.timestamp.getTime(),
})
