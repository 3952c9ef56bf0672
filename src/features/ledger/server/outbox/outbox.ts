import { z } from 'zod'
import { STOP_CAUSES } from '#domain/connections/causes.ts'
import { isTooLate } from '#domain/messages/schedule.ts'
import { itemAt, lookUp } from '#domain/present.ts'
import { errorText } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isSendFailure, sendFailure } from '#providers/channels/port.ts'
import { type Ctx, type JobOptions, unit } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { insist } from '#server/db/insist.ts'
import { inSets } from '#server/in-sets.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { type ActOutcome, recordAct } from '../acts/outcome.ts'
import { applyActs } from '../acts/receive.ts'
import { mentionedAfter } from '../groups/mentioned.ts'
import type { JournalEntry } from '../journal/journal-queries.ts'
import { addTrail, findMessages, type MessageRecord, updateMessage } from '../messages/queries.ts'
import { notifyLate } from '../notices/notify.ts'
import {
  adapterOf,
  answerWithin,
  type ChannelConversation,
  forwardSending,
  noteUnpaid,
  type OutboxSender,
  stopConnection,
} from '../ports/channels.ts'
import { consentGate } from '../ports/consent-gate.ts'
import { contactBook } from '../ports/contact-book.ts'
import { applyReceipts } from './apply-receipts.ts'
import { outbound } from './outbound.ts'
import {
  type Attempt,
  addAttempts,
  type ClaimedAct,
  claimNext,
  eventsAbout,
  conversationsOf as findConversations,
  findSentId,
  haveMore,
  type Locked,
  lockAttempts,
} from './outbox-queries.ts'
import { addressReached, goOnAt, noteRefusal, takeTurnOf } from './pace.ts'
import { record, recordAll, recordLocked } from './record.ts'
import { isWritable } from './window.ts'

/** Priority of conversations that go before others. */
export const AHEAD = -10
/** Number of messages after which other conversations get their turn. */
const MOST_IN_A_TURN = 20
/** Number of channel failures after which a message fails, or becomes uncertain if it may have been sent. */
const MOST_FAILURES = 5
/** Number of attempts without a response after which a person has to decide, even if sending is idempotent. */
const MOST_LOST_ATTEMPTS = 50
const SEND_TIMEOUT_MS = 120_000
/** Minimum speed of an upload, in bytes per second. */
const SLOWEST_UPLOAD = 100_000
/** Time for which messages wait for a connection stopped by its provider, in ms. */
const STOPPED_MS = 24 * 3_600_000
/** Time for which the result of a send is retried to be recorded while database or disk fail, in ms. */
const INSIST_MS = 600_000

/** Job that sends the waiting messages of one conversation in order, until none is left, one has to wait, or its turn ends. */
export const sendJob = job({
  name: 'messages:send',
  schema: z.object({ connectionId: z.number(), conversationKey: z.string(), isUrgent: z.boolean().optional() }),
  async run(platform, { tenantId, isUrgent = false, ...conversation }, run) {
    if (await forwardSending(platform, tenantId, conversation, isUrgent)) return
    const { connectionId: connection_id, conversationKey: conversation_key } = conversation
    const since = platform.now()
    const adapter = await adapterOf(platform, tenantId, connection_id)
    if (!(await sendTurn(platform, tenantId, conversation, { ...run, adapter, isUrgent, since }))) return
    await unit(platform, { tenantId, user: null }, async (ctx) =>
      enqueueSending(ctx, { connection_id, conversation_key }),
    )
  },
})

/** Stops a connection whose provider reported that it sends nothing more. */
export const stopJob = job({
  name: 'messages:stop-connection',
  schema: z.object({ connectionId: z.number(), cause: z.enum(STOP_CAUSES) }),
  run: (platform, { tenantId, connectionId, cause }) => stopConnection(platform, tenantId, connectionId, cause),
})

/** Sends the waiting messages of one conversation in order; true if its turn ended before all were sent. */
export async function sendTurn(
  platform: Platform,
  tenantId: number,
  conversation: ChannelConversation,
  sender: OutboxSender,
): Promise<boolean> {
  for (let n = 0; n < MOST_IN_A_TURN; n++) if (!(await sendNext(platform, tenantId, conversation, sender))) return false
  return true
}

/** Returns the conversations of a connection with something to send. */
export const conversationsOf = (platform: Platform, tenantId: number, connectionId: number): Promise<string[]> =>
  platform.db.read(tenantId, (db) => findConversations(db, connectionId))

/** Returns the message sent by a connection under a provider id; null if there is none, or it was deleted. */
export const findSent = (
  platform: Platform,
  { tenantId, connectionId, providerId }: { tenantId: number; connectionId: number; providerId: string },
): Promise<ReturnType<typeof outbound> | null> =>
  platform.db.read(tenantId, async (db) => {
    const id = await findSentId(db, connectionId, providerId)
    const [message] = id === null ? [] : await findMessages(db, [id])
    return message && !message.is_deleted ? outbound(tenantId, message) : null
  })

/**
 * Enqueues the sending of a conversation; its jobs run one after another (decision B20). A message that waits for a retry
 * keeps waiting, unless `isUrgent`.
 */
export function enqueueSending(
  ctx: Pick<Ctx, 'enqueue' | 'tenantId'>,
  {
    connection_id: connectionId,
    conversation_key: conversationKey,
  }: { connection_id: number; conversation_key: string },
  { isUrgent = false, ...options }: Pick<JobOptions, 'runAt' | 'priority'> & { readonly isUrgent?: boolean } = {},
): void {
  const queue = `send:${ctx.tenantId}:${connectionId}:${conversationKey}`
  // Under a separate key, so that a later job does not replace the urgent one.
  const now = { key: `${queue}:now`, queue, ...options }
  if (isUrgent) ctx.enqueue(sendJob, { connectionId, conversationKey, isUrgent }, now)
  else ctx.enqueue(sendJob, { connectionId, conversationKey }, { key: queue, queue, ...options })
}

/** Message to be sent now, with its attempt number, and its failure count if the channel fails it. */
type Due = {
  readonly messageId: string
  readonly type: string
  readonly isIdempotent: boolean
  readonly isFirst: boolean
  readonly attempt: number
  readonly failures: number
}
type Turn = Due | { readonly act: ClaimedAct } | { readonly skip: true } | null

const isDue = (turn: Turn): turn is Due => turn !== null && 'messageId' in turn

/** Batches concurrent calls of one company of a platform. */
function ofCompany<I, O>(
  keyOf: (input: I) => string,
  work: (platform: Platform, tenantId: number, inputs: readonly I[]) => Promise<readonly O[]>,
): (platform: Platform, tenantId: number, input: I) => Promise<O> {
  const companies = new WeakMap<Platform, Map<number, (input: I) => Promise<O>>>()
  return (platform, tenantId, input) => {
    const ofPlatform = companies.get(platform) ?? new Map<number, (input: I) => Promise<O>>()
    companies.set(platform, ofPlatform)
    const wanted = ofPlatform.get(tenantId) ?? inSets(keyOf, (inputs) => work(platform, tenantId, inputs))
    ofPlatform.set(tenantId, wanted)
    return wanted(input)
  }
}

type Claim = { readonly conversation: ChannelConversation; readonly sender: OutboxSender }

/** Claims the next message or act of each conversation; null if nothing is sent now. */
const claim = ofCompany(
  ({ conversation: { connectionId, conversationKey } }: Claim) => `${connectionId}|${conversationKey}`,
  (platform, tenantId, claims) =>
    unit(platform, { tenantId, user: null, isGuarded: true }, async (ctx) => {
      for (const requireLease of new Set(claims.map(({ sender }) => sender.requireLease))) await requireLease?.(ctx.db)
      const conversations = claims.map(({ conversation }) => conversation)
      const turns: Turn[] = []
      for (const [index, found] of (await claimNext(ctx.db, conversations)).entries()) {
        if (found) itemAt(claims, index).sender.requireOwnership()
        turns.push(await turnOf(platform, ctx, itemAt(claims, index), found))
      }
      const going = turns.filter(isDue)
      const ids = going.map(({ messageId }) => messageId)
      const [attempts, messages] = await Promise.all([
        addAttempts(ctx.db, going),
        ids.length > 0 ? findMessages(ctx.db, ids) : [],
      ])
      const messageOf = new Map(messages.map((message) => [message.id, message]))
      return turns.map((turn) => {
        if (!isDue(turn)) return turn
        const { messageId, ...about } = turn
        return { ...about, message: lookUp(messageOf, messageId), attemptId: lookUp(attempts, messageId) }
      })
    }),
)

/** Decides whether a claimed message is sent now, and as which attempt; records late, uncertain and refused ones as such. */
async function turnOf(
  platform: Platform,
  ctx: Ctx,
  { conversation, sender: { isUrgent } }: Claim,
  found: Awaited<ReturnType<typeof claimNext>>[number],
): Promise<Turn> {
  if (!found || 'act' in found) return found
  const { message: next } = found
  // Its channel was down. A message that an earlier attempt may have sent is not canceled.
  if (!next.wasQueued && next.scheduleDate && isTooLate(next.scheduleDate.getTime(), ctx.now.getTime())) {
    await record(platform, ctx, next.id, 'canceled', { step: 'late', errorCode: 'ERR_SCHEDULE_LATE' })
    await notifyLate(ctx, [next.id])
    return { skip: true }
  }
  const { waitsUntil } = next
  if (!isUrgent && !next.wasQueued && waitsUntil !== null && waitsUntil > ctx.now) {
    await updateMessage(ctx.db, next.id, { status: 'pending' })
    enqueueAt(ctx, conversation, waitsUntil.getTime())
    return null
  }
  const { idempotentSending: isIdempotent, settledWithin } = capabilitiesOf(next.type)
  const settledAt = (next.attemptedAt?.getTime() ?? 0) + (settledWithin ?? 0) * 1000
  if (next.wasQueued && settledAt > ctx.now.getTime()) {
    enqueueAt(ctx, conversation, settledAt)
    return null
  }
  if (next.wasQueued && (!isIdempotent || next.attempts >= MOST_LOST_ATTEMPTS)) {
    await record(platform, ctx, next.id, 'uncertain', { step: 'uncertain' })
    return { skip: true }
  }
  if (!next.isTemplate && !(await isWritable(ctx, next.type, conversation, next))) {
    const reason = errorText('ERR_WINDOW_CLOSED')
    await record(platform, ctx, next.id, 'failed', { step: 'failed', reason, errorCode: 'ERR_WINDOW_CLOSED' })
    return { skip: true }
  }
  if (await consentGate()(ctx.db, next.type, conversation, next)) {
    const reason = errorText('ERR_OPTED_OUT')
    await record(platform, ctx, next.id, 'failed', { step: 'failed', reason, errorCode: 'ERR_OPTED_OUT' })
    return { skip: true }
  }
  const turn = await takeTurnOf(ctx, conversation, next)
  if ('at' in turn) {
    enqueueAt(ctx, conversation, turn.at.getTime())
    return null
  }
  const { id: messageId, type, attempts, failures } = next
  return { messageId, type, isIdempotent, isFirst: turn.isFirst, attempt: attempts + 1, failures: failures + 1 }
}

const enqueueAt = (ctx: Ctx, { connectionId, conversationKey }: ChannelConversation, at: number): void =>
  enqueueSending(ctx, { connection_id: connectionId, conversation_key: conversationKey }, { runAt: new Date(at) })

/** Sent message with its channel type and address. */
type Sent = Attempt & {
  readonly conversation: ChannelConversation
  readonly type: string
  readonly to: string
  readonly providerId: string
}

const keyOfSent = ({ message: { id } }: Sent): string => id

const known = (sent: readonly Sent[]) => sent.map(({ conversation, providerId }) => ({ ...conversation, providerId }))

/** Records messages as sent, with the receipts that have arrived meanwhile, whatever else was recorded since. */
const noteSent = ofCompany(keyOfSent, (platform, tenantId, sent: readonly Sent[]) =>
  unit(platform, { tenantId, user: null, isGuarded: true }, async (ctx) => {
    const names = known(sent)
    const [locked, events] = await Promise.all([lockAttempts(ctx.db, sent), eventsAbout(ctx.db, names, ctx.now)])
    const ours = sent.flatMap(({ providerId }, index) => {
      const attempt = locked[index]
      return attempt ? [{ ...attempt, next: 'sent' as const, about: { step: 'sent', providerId } }] : []
    })
    await recordAll(platform, ctx, ours)
    for (const one of sent) await moveOn(ctx, one)
    await applyEvents(ctx, events)
    return sent.map(() => null)
  }),
)

/** Moves a conversation to another address, if the channel knows the contact by it. */
async function moveOn(ctx: Ctx, { message, conversation, type: channel, to }: Omit<Sent, 'providerId'>): Promise<void> {
  if (to === conversation.conversationKey) return
  await goOnAt(ctx, conversation, { messageId: message.id, channel, to })
  enqueueSending(ctx, { connection_id: conversation.connectionId, conversation_key: to })
}

/** Whether the conversation of a sent message has more to send. */
const hasMore = ofCompany(keyOfSent, (platform, tenantId, sent: readonly Sent[]) => {
  const conversations = sent.map(({ conversation }) => conversation)
  return platform.db.read(tenantId, (db) => haveMore(db, conversations))
})

async function applyEvents(ctx: Ctx, events: readonly JournalEntry[]): Promise<void> {
  for (const conversation of await applyReceipts(ctx, events)) enqueueSending(ctx, conversation)
  await applyActs(ctx, events)
}

/**
 * Sends one message: claims it (committed before the call, so that a crash leaves a trace), calls the provider outside
 * of any transaction, records the result. Concurrent claims and results go in sets. If it was already claimed, the
 * answer of an earlier call was lost: repeated only where the provider knows our id, else it becomes "incerto"
 * (decision B8). A worker that was frozen neither sends nor records once its ownership may be lost (decision 0014).
 */
async function sendNext(
  platform: Platform,
  tenantId: number,
  conversation: ChannelConversation,
  sender: OutboxSender,
): Promise<boolean> {
  const { adapter, requireOwnership, requireLease, since } = sender
  const claimed = await claim(platform, tenantId, { conversation, sender })
  if (!claimed) return false
  if ('act' in claimed) return actNext(platform, tenantId, conversation, sender, claimed.act)
  if ('skip' in claimed) return true
  const { message, type, isIdempotent, isFirst, attempt, attemptId, failures } = claimed
  const conclude = (work: (ctx: Ctx, locked: Locked) => Promise<void>) =>
    insist(INSIST_MS, () =>
      unit(platform, { tenantId, user: null, isGuarded: true }, async (ctx) => {
        const [locked] = await lockAttempts(ctx.db, [{ message, attemptId }])
        const isOurs = locked?.message.status === 'queued'
        if (isOurs) await work(ctx, locked)
        return isOurs
      }),
    )
  await platform.checkpoint('message claimed')
  requireOwnership()
  let to = conversation.conversationKey
  const send = async () => {
    if (isFirst) to = await addressReached(sender, { tenantId, type }, conversation)
    return answerWithin(sendingMs(message), adapter.send({ ...outbound(tenantId, message), conversationKey: to }))
  }
  const sent = await send().catch((error: unknown) => ({ error }))
  if (!('error' in sent)) {
    await platform.checkpoint('provider accepted')
    const done = { message, attemptId, conversation, type, to, providerId: sent.providerId }
    await insist(INSIST_MS, () => noteSent(platform, tenantId, done))
    return insist(INSIST_MS, () => hasMore(platform, tenantId, done))
  }
  const { error } = sent
  // A channel within this installation: the job is retried, and the attempt is no failure of the channel.
  if (isInfrastructure(error) && !isSendFailure(error) && isIdempotent) throw error
  // An unexpected error may occur after sending, and its text is unchecked.
  const failure = isSendFailure(error) ? error : sendFailure('unknown', 'falha inesperada no canal')
  const {
    kind,
    message: reason,
    isHaste,
    isUnpaid,
    stops,
    isStopped,
    providerText,
    blocksUs,
    providerId,
    waitSeconds = 0,
  } = failure
  platform.log.warn({ err: error, tenantId, messageId: message.id, failures, kind }, 'a send failed')
  if (stops) await stopConnection(platform, tenantId, conversation.connectionId, stops, since)
  if (isUnpaid) await noteUnpaid(platform, tenantId, conversation.connectionId)
  const { settledWithin } = capabilitiesOf(type)
  if (kind === 'unknown' && settledWithin !== null) {
    // Settled by what the provider reported meanwhile.
    return !(await conclude(async (ctx) => {
      await addTrail(ctx.db, [{ messageId: message.id, step: 'unanswered', detail: { reason } }])
      enqueueAt(ctx, conversation, ctx.now.getTime() + settledWithin * 1000)
    }))
  }
  if (kind === 'unknown' && (!isIdempotent || failures >= MOST_FAILURES)) {
    await conclude(async (ctx, locked) => {
      const named = providerId === undefined ? {} : { providerId }
      await recordLocked(platform, ctx, locked, 'uncertain', { step: 'uncertain', reason, ...named })
      await moveOn(ctx, { message, attemptId, conversation, type, to })
      // The channel may have reported its status meanwhile.
      if (providerId !== undefined)
        await applyEvents(ctx, await eventsAbout(ctx.db, [{ ...conversation, providerId }], ctx.now))
    })
    return true
  }
  // Messages of a persistent connection wait until it is back, scheduled ones until they are too late, those of a
  // connection that its provider stopped for a day.
  const waitsForHelp = stops !== undefined || isStopped === true
  const mayBeHelped = waitsForHelp && platform.now().getTime() - message.timestamp.getTime() < STOPPED_MS
  const isOffline =
    kind === 'unreachable' && (requireLease !== undefined || message.schedule_date !== null || mayBeHelped)
  const isGivenUp = waitsForHelp && !mayBeHelped
  if (kind === 'refused' || isGivenUp || (failures >= MOST_FAILURES && !isOffline)) {
    await conclude(async (ctx, locked) => {
      if (isHaste) await noteRefusal(ctx, conversation.connectionId)
      const { conversationKey: identity } = conversation
      if (blocksUs) await contactBook().blocking(ctx, { channel: type, identity, blocksUs, at: ctx.now })
      await recordLocked(platform, ctx, locked, 'failed', {
        step: 'failed',
        reason,
        ...(providerText ? { providerText } : {}),
      })
    })
    return true
  }
  // The conversation waits for its message; other conversations continue.
  const seconds = Math.round(Math.max(waitOf(isOffline ? attempt : failures), waitSeconds))
  const isWaiting = await conclude(async (ctx) => {
    await updateMessage(ctx.db, message.id, { status: 'pending' })
    await addTrail(ctx.db, [
      {
        messageId: message.id,
        step: 'waiting',
        detail: {
          reason,
          seconds,
          ...(providerText ? { providerText } : {}),
          ...(isOffline ? { isOffline } : {}),
        },
      },
    ])
    enqueueAt(ctx, conversation, ctx.now.getTime() + seconds * 1000)
  })
  return !isWaiting
}

// Messages with a file are uploaded first.
const sendingMs = ({ file_size }: MessageRecord): number => SEND_TIMEOUT_MS + ((file_size ?? 0) / SLOWEST_UPLOAD) * 1000

const waitOf = (attempt: number): number => 5 * 4 ** Math.min(attempt - 1, 3) * (0.8 + Math.random() * 0.4)

/**
 * Sends one act on a message, claimed like a message. Acts are idempotent, so a lost response is retried; a refusal is shown
 * at the message, and the queue continues.
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
  // Mentions are looked up again, because an edit may mention others.
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
  const failure = isSendFailure(error) ? error : sendFailure('unknown', 'falha inesperada no canal')
  const { kind, message: reason, waitSeconds = 0 } = failure
  const failures = act.failures + 1
  platform.log.warn({ err: error, tenantId, actId: act.id, failures, kind }, 'an act on a message failed')
  const isOffline = kind === 'unreachable' && requireLease !== undefined
  if (kind === 'refused' || (failures >= MOST_FAILURES && !isOffline)) {
    await conclude({ status: 'failed', reason })
    return true
  }
  const seconds = Math.max(waitOf(isOffline ? act.attempt : failures), waitSeconds)
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
