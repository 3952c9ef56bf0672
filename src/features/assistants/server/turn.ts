import { answering, mayAnswer } from '#domain/assistants/choice.ts'
import { answerUntil, TURN_MS } from '#domain/assistants/time.ts'
import { lookUp } from '#domain/present.ts'
import { saveSession } from '#features/ledger/server/commands/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import { type LedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { switchAssistants } from '#features/tickets/server/change/index.ts'
import { type Answer, AssistantFailure, NO_USAGE, type Question } from '#providers/assistants/port.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { findAccount, type StoredAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { noteState } from './account-state.ts'
import { KIND } from './accounts.ts'
import { type Asked, askAccount } from './ask.ts'
import { usedUp } from './costs.ts'
import { DEFERRED_MS, endDeferred } from './deferred.ts'
import { type Deliverable, prepareBubbles, writeBubbles } from './deliver.ts'
import { answerFlow, exitOf, isAwaited, NO_ANSWER, unheard } from './flow-answers.ts'
import { toPeople } from './hand-over.ts'
import { isPermitted, permittedBy } from './permitted.ts'
import { type CountedCall, insertCalls, removeCall } from './queries-costs.ts'
import {
  beginTurns,
  calledProviders,
  failuresInRow,
  findSituations,
  hasWaiting,
  isOtherUnderWay,
  lockTurn,
  type SituationRow,
  type TurnChange,
  type TurnRow,
  ticketOfTurn,
  updateTurn,
} from './queries-turns.ts'
import { type Asking, areFilesComing, complete, questionOf } from './question.ts'
import { shownText } from './shown.ts'
import { hasEffects, isOffWord, isWriting, situationOf } from './situation.ts'
import { type Spoken, spokenAnswer } from './speech.ts'

type Run = { readonly tenantId: number; readonly id: string; readonly holder: string; readonly lease: () => Date }

/** Claimed turn with its question. */
type Claimed = Asking & {
  readonly turn: TurnRow
  readonly ticket: LedgerTicket
  readonly account: StoredAccount
  readonly fallback: StoredAccount | null
  /** Number of the flow session's queued messages that it reads. */
  readonly read: number
  /** Whether customers' recordings are transcribed. */
  readonly transcribes: boolean
}

/** Maximum number of restarts of a turn because the contact wrote more meanwhile. */
const MOST_RESTARTS = 3
/** Number of consecutive failures after which an assistant is switched off in a ticket. */
const MOST_FAILURES = 3
/** Interval at which “digitando…” is repeated; channels drop it after ten seconds or more. */
const TYPING_MS = 8000
/** Interval at which a turn looks whether its files have been downloaded. */
const FILES_MS = 1000

/** Runs a turn from question to answer, each state in its own transaction and the call outside of them. */
export async function runTurn(platform: Platform, run: Run): Promise<void> {
  const { tenantId, id } = run
  const base = { tenantId, user: null }
  const end = platform.now().getTime() + TURN_MS
  const claimed = await unit(platform, base, (ctx) => claim(ctx, run))
  if (!claimed) return
  await platform.checkpoint('turn claimed')
  const firstCall = crypto.randomUUID()
  const question = await complete({ platform, tenantId }, claimed, claimed)
  const isAsked = await unit(platform, base, (ctx) => markAsked(ctx, run, claimed, firstCall))
  if (!isAsked) return
  await platform.checkpoint('turn asked')
  const stopTyping = showTyping(platform, tenantId, claimed.ticket)
  const { account, asked } = await askInTurn(platform, tenantId, claimed, { question, firstCall, end }).finally(
    stopTyping,
  )
  await platform.checkpoint('turn answered')
  const finished = { claimed, account, asked, firstCall }
  const outcome = { ...finished, ...(await delivered(platform, tenantId, finished)) }
  await unit(platform, base, (ctx) => record(ctx, id, outcome))
  await platform.checkpoint('turn recorded')
}

/** Asks the account of a turn, and its fallback if it gives no answer, both before the turn's end (epoch ms). */
async function askInTurn(
  platform: Platform,
  tenantId: number,
  claimed: Claimed,
  { question, firstCall, end }: { question: Omit<Question, 'signal'>; firstCall: string; end: number },
): Promise<{ account: StoredAccount; asked: Asked }> {
  const { account, fallback } = claimed
  const begins = (of: StoredAccount) => (callId: string) =>
    unit(platform, { tenantId, user: null }, (ctx) => begin(ctx, claimed, of, callId))
  const until = answerUntil(platform.now().getTime(), end, fallback !== null)
  const asked = await askAccount(platform, tenantId, account, question, { firstCall, until, begins: begins(account) })
  if (asked.answer || !fallback) return { account, asked }
  const anew = { ...question, handle: null, memory: null }
  const other = await askAccount(platform, tenantId, fallback, anew, { until: end, begins: begins(fallback) })
  return { account: fallback, asked: { ...other, calls: [...asked.calls, ...other.calls] } }
}

async function claim(ctx: Ctx, { id, holder, lease }: Run): Promise<Claimed | null> {
  const ticketId = await ticketOfTurn(ctx.db, id)
  if (ticketId === undefined) return null
  const [ticket] = await lockLedgerTickets(ctx.db, [ticketId])
  const turn = await lockTurn(ctx.db, id)
  if (!ticket || !turn || turn.due_at > ctx.now) return null
  const isLeft = turn.status !== 'waiting' && (turn.lease_until === null || turn.lease_until < ctx.now)
  if (turn.status !== 'waiting' && !isLeft) return null
  if (!['waiting', 'claimed', 'asked', 'later'].includes(turn.status)) return null
  const row = (await findSituations(ctx.db, [ticketId])).get(ticketId)
  if (turn.status === 'later') {
    await endDeferred(ctx, turn, row)
    return null
  }
  if (!row || !(await isStillTheirs(ctx, row, turn))) {
    await cancel(ctx, turn)
    return null
  }
  // The effect of the lost call is unknown, and a retry might repeat it: a person decides.
  if (turn.status === 'asked' && [turn.provider, ...(await calledProviders(ctx.db, turn))].some(hasEffects)) {
    await giveUp(ctx, turn, row, new AssistantFailure('broken', UNCERTAIN), 'uncertain')
    return null
  }
  if (turn.status === 'waiting' && (await isOtherUnderWay(ctx.db, turn))) return null
  const account = turn.account_id === null ? undefined : await findAccount(ctx.db, KIND, turn.account_id)
  if (!account?.is_active) {
    await giveUp(ctx, turn, row, new AssistantFailure('setup', 'A conta do assistente foi desligada ou excluída.'))
    return null
  }
  const spent = await usedUp(ctx, account)
  if (spent) {
    await giveUp(ctx, turn, row, new AssistantFailure('quota', spent.text), 'failed', true)
    return null
  }
  const asking = await questionOf(ctx, turn, account)
  if (turn.flow && !turn.flow.isFirst && isOffWord(asking.question.text, account)) {
    await updateTurn(ctx.db, id, { status: 'canceled', ended_at: ctx.now, lease_until: null })
    answerFlow(ctx, turn.flow, { exit: 'off', answer: '', read: await unheard(ctx, turn.flow) })
    return null
  }
  if (turn.status === 'waiting' && areFilesComing(ctx, asking, account, row)) {
    await updateTurn(ctx.db, id, { due_at: new Date(ctx.now.getTime() + FILES_MS) })
    return null
  }
  await updateTurn(ctx.db, id, { status: 'claimed', claimed_by: holder, lease_until: lease(), is_stale: false })
  const fallbackId = Number(account.config['fallbackId'] ?? 0)
  const fallback = fallbackId ? ((await findAccount(ctx.db, KIND, fallbackId)) ?? null) : null
  const read = turn.flow ? await unheard(ctx, turn.flow) : 0
  return {
    turn,
    ticket,
    account,
    fallback: fallback?.is_active && isWriting(fallback.provider) ? fallback : null,
    read,
    transcribes: row.transcribes,
    ...asking,
  }
}

const UNCERTAIN = 'O processo parou enquanto o assistente trabalhava: pode ter sido feito. Uma pessoa precisa conferir.'

/** Cancels a turn because people answer now; a waiting flow gets no answer. */
export async function cancel(ctx: Ctx, { id, flow }: TurnRow, used: TurnChange = {}): Promise<void> {
  await updateTurn(ctx.db, id, { ...used, status: 'canceled', ended_at: ctx.now, lease_until: null })
  if (flow) answerFlow(ctx, flow, NO_ANSWER)
}

/** Whether the assistant of a turn may still answer in its ticket: its switch is on, or the requesting flow still waits. */
export async function isStillTheirs(ctx: Ctx, row: SituationRow, { provider, flow }: TurnRow): Promise<boolean> {
  const situation = situationOf(ctx, row)
  if (flow)
    return (
      isPermitted(ctx.settings, provider) &&
      mayAnswer({ ...situation, isInFlow: false }) &&
      (await isAwaited(ctx, row, flow))
    )
  if (!mayAnswer(situation)) return false
  const always = { when: 'always' } as const
  const permitted = new Set([...permittedBy(ctx.settings)].filter((name) => name === provider))
  return answering(row.switches, permitted, always, { isOpen: true, isAway: false }) === provider
}

async function markAsked(ctx: Ctx, { id, lease }: Run, claimed: Claimed, callId: string): Promise<boolean> {
  const turn = await lockTurn(ctx.db, id)
  if (turn?.status !== 'claimed') return false
  await updateTurn(ctx.db, id, { status: 'asked', lease_until: lease() })
  await begin(ctx, claimed, claimed.account, callId)
  return true
}

/**
 * Stores a call that is about to be made, so that it is accounted even if this process dies; what it reads counts as read if
 * the call may have effects.
 */
async function begin(
  ctx: Ctx,
  { turn, lastSeq }: Claimed,
  { id: accountId, provider }: StoredAccount,
  id: string,
): Promise<void> {
  const call: CountedCall = {
    id,
    purpose: 'turn',
    ticketId: turn.ticket_id,
    turnId: turn.id,
    accountId,
    provider,
    model: '',
    ...NO_USAGE,
    ms: 0,
    cost: 0,
    error: 'O processo parou antes da resposta.',
  }
  await insertCalls(ctx.db, [call], ctx.now)
  if (hasEffects(provider)) await updateTurn(ctx.db, turn.id, { last_seq: lastSeq })
}

/** Shows “digitando…” in the customer's conversation; returns a function that stops it. */
function showTyping(platform: Platform, tenantId: number, ticket: LedgerTicket): () => void {
  if (!capabilitiesOf(ticket.channel).presence) return () => {}
  const to = { tenantId, connectionId: ticket.connection_id, conversationKey: ticket.conversation_key }
  const show = () =>
    void adapterOf(platform, tenantId, ticket.connection_id)
      .then((adapter) => adapter.act?.({ ...to, type: 'presence', state: 'composing' }))
      .catch(() => {})
  show()
  const timer = setInterval(show, TYPING_MS).unref()
  return () => clearInterval(timer)
}

type Finished = {
  readonly claimed: Claimed
  readonly account: StoredAccount
  readonly asked: Asked
  readonly firstCall: string
}
type Outcome = Finished & {
  readonly deliverable: readonly Deliverable[] | null
  /** Call of the speech model; null for a written answer. */
  readonly spoken: Spoken['call']
}

/** Prepares an answer for its channel, as recordings if its account does so. */
async function delivered(
  platform: Platform,
  tenantId: number,
  { claimed, account, asked }: Finished,
): Promise<Pick<Outcome, 'deliverable' | 'spoken'>> {
  const { ticket, turn } = claimed
  if (!asked.answer) return { deliverable: null, spoken: null }
  const written = await prepareBubbles(platform, tenantId, ticket, asked.answer)
  if (turn.flow?.isSilent) return { deliverable: written, spoken: null }
  const { deliverable, call } = await spokenAnswer(platform, tenantId, { ticket, account }, written)
  return { deliverable, spoken: call }
}

/** Stores the result of a turn: costs always; answer, switches and messages in one transaction. */
async function record(ctx: Ctx, id: string, outcome: Outcome): Promise<void> {
  const { claimed, account, asked, firstCall, deliverable, spoken } = outcome
  const ticketId = claimed.turn.ticket_id
  const [ticket] = await lockLedgerTickets(ctx.db, [ticketId])
  const turn = await lockTurn(ctx.db, id)
  if (!ticket || !turn) return
  const counted = asked.calls.map((call) => ({ ...call, purpose: 'turn' as const, ticketId, turnId: id }))
  const speech = spoken ? [{ ...spoken, purpose: 'voice' as const, ticketId, turnId: id }] : []
  await insertCalls(ctx.db, [...counted, ...speech], ctx.now)
  // A resting account was not called.
  if (!counted.some((call) => call.id === firstCall)) await removeCall(ctx.db, firstCall)
  const last = counted.findLast(({ accountId }) => accountId === claimed.account.id)
  if (last) await noteState(ctx, claimed.account, last.error)
  const sum = (key: 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'ms' | 'cost') =>
    [...counted, ...speech].reduce((total, call) => total + call[key], 0)
  const used = {
    ...{ input_tokens: sum('inputTokens'), cached_tokens: sum('cachedTokens'), output_tokens: sum('outputTokens') },
    ...{ cost: String(sum('cost')), ms: Math.round(sum('ms')) },
  }
  if (turn.status !== 'asked') return updateTurn(ctx.db, id, used)
  const row = lookUp(await findSituations(ctx.db, [ticketId]), ticketId)
  if (!(await isStillTheirs(ctx, row, turn))) return cancel(ctx, turn, used)
  const isUnheard = turn.is_stale && !hasEffects(turn.provider) && !(await hasWaiting(ctx.db, ticketId))
  if (isUnheard && asked.answer && !hasEffects(account.provider) && turn.tries < MOST_RESTARTS)
    return updateTurn(ctx.db, id, {
      ...used,
      status: 'waiting',
      due_at: ctx.now,
      lease_until: null,
      tries: turn.tries + 1,
    })
  if (!asked.answer || !deliverable) {
    // What was not answered is asked again with the next message.
    await updateTurn(ctx.db, id, { ...used, last_seq: claimed.turn.last_seq })
    return giveUp(ctx, turn, row, asked.failure ?? new AssistantFailure('empty', 'O assistente não respondeu.'))
  }
  await answered(ctx, { turn, row, ticket, account, answer: asked.answer, deliverable, used, claimed })
  if (!isUnheard) return
  const { id: accountId, provider } = claimed.account
  await beginTurns(ctx.db, [{ id: ctx.newId(), ticketId, accountId, provider, dueAt: ctx.now }], ctx.now)
}

async function answered(
  ctx: Ctx,
  of: {
    turn: TurnRow
    row: SituationRow
    ticket: LedgerTicket
    account: StoredAccount
    answer: Answer
    deliverable: readonly Deliverable[]
    used: object
    claimed: Claimed
  },
): Promise<void> {
  const { turn, row, ticket, account, answer, deliverable, used, claimed } = of
  const { flow } = turn
  const count = flow?.isSilent ? 0 : await writeBubbles(ctx, ticket, turn.id, deliverable)
  const memory = { since: claimed.since, adapter: answer.memory ?? null }
  await saveSession(ctx.db, {
    ticketId: ticket.id,
    assistant: turn.provider,
    memory,
    handle: answer.handle ?? null,
    now: ctx.now,
  })
  // The provider has taken it, and posts its answer.
  if (answer.isDeferred && claimed.question.callbackUrl !== null)
    return updateTurn(ctx.db, turn.id, {
      ...used,
      ...{ status: 'later', account_id: account.id, last_seq: claimed.lastSeq, problem: null, error: null },
      lease_until: new Date(ctx.now.getTime() + DEFERRED_MS),
    })
  await updateTurn(ctx.db, turn.id, {
    ...used,
    ...{ status: 'answered', account_id: account.id, model: sanitizeForPostgres(answer.model), message_count: count },
    ...{ last_seq: claimed.lastSeq, ended_at: ctx.now, lease_until: null, error: null, problem: null },
  })
  if (flow) answerFlow(ctx, flow, { exit: exitOf(answer.handsOver), answer: shownText(answer), read: claimed.read })
  else if (answer.handsOver) {
    const off = { [turn.provider]: false, failed: null }
    await switchAssistants(ctx, [
      {
        ticketId: ticket.id,
        switches: off,
        log: { type: 'assistantOff', reason: 'O assistente passou a conversa a uma pessoa.' },
      },
    ])
    await toPeople(ctx, ticket.id, row)
  } else if (row.switches['failed'] === true)
    await switchAssistants(ctx, [{ ticketId: ticket.id, switches: { failed: null } }])
}

/**
 * Ends a turn without sending: the ticket goes to people, and after the third consecutive failure the assistant is switched
 * off.
 */
async function giveUp(
  ctx: Ctx,
  turn: TurnRow,
  row: SituationRow,
  failure: AssistantFailure,
  status: 'failed' | 'uncertain' = 'failed',
  isFinal = false,
): Promise<void> {
  const error = sanitizeForPostgres(failure.message)
  await updateTurn(ctx.db, turn.id, { status, problem: failure.problem, error, ended_at: ctx.now, lease_until: null })
  if (turn.flow) return answerFlow(ctx, turn.flow, NO_ANSWER)
  const isOff = isFinal || (await failuresInRow(ctx.db, turn.ticket_id, MOST_FAILURES)) >= MOST_FAILURES
  await switchAssistants(ctx, [
    isOff
      ? {
          ticketId: turn.ticket_id,
          switches: { [turn.provider]: false, failed: null },
          log: { type: 'assistantOff', reason: error },
        }
      : { ticketId: turn.ticket_id, switches: { failed: true }, log: { type: 'assistantFailed', reason: error } },
  ])
  await toPeople(ctx, turn.ticket_id, row)
}
