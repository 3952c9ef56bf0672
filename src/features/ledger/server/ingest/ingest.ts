import { toError } from '#kit/errors.ts'
import { atWork } from '#server/at-work.ts'
import { type Ctx, unit } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import type { Platform } from '#server/platform.ts'
import { journalEvents } from '../../journal-events.ts'
import { applyActs, isAct } from '../acts/receive.ts'
import { applyContinuations } from '../continuation/continuation.ts'
import { EVERYBODY, endAppendDelays, endDelay, refreshDelays, reportDelay } from '../journal/delays.ts'
import {
  countBeginning,
  countFailure,
  type JournalRow,
  nextEntries,
  recordEntries,
  type TakenEntry,
  takeBackBeginning,
  takeEntries,
  tenantsWithWaiting,
} from '../journal/journal-queries.ts'
import { applyReceipts } from '../outbox/apply-receipts.ts'
import { enqueueSending, stopJob } from '../outbox/outbox.ts'
import { awaitSending, type SpokenOf } from '../outbox/receipt-queries.ts'
import { applyAddressNews } from './apply-address-news.ts'
import { applyGroups, publishNewsOfGroups, writeGroupEventRows } from './apply-groups.ts'
import { applyHistory } from './apply-history.ts'
import {
  applyAddresses,
  applyMessages,
  conversationOf,
  type ExpectedEntry,
  type Found,
  lookUpExpected,
} from './apply-messages.ts'
import { reconcileEchoes } from './reconcile-echoes.ts'

const BATCH = 50
/** First and longest pause after an infrastructure error, doubled with each further one, in ms. */
const PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
/** Time for which a receiver waits for the processing of its events before they are appended, in ms. */
const MOST_AT_ONCE_MS = 500
/** Pause after another process has written for the tenant, in ms; later events have to be looked up. */
const BUSY_PAUSE_MS = 100
/** Delay before a failed event is retried, in ms; new events retry it at once. */
const RETRY_MS = 1000

/** Turn of a tenant; `appended`: events appended by this process since the last batch, at most one batch. */
type Turn = { running: Promise<void>; repeat: boolean; appended: readonly JournalRow[] }
type Pause = { timer: NodeJS.Timeout | null; faults: number }
type State = {
  turns: Map<number, Turn>
  pauses: Map<number, Pause>
  retries: Map<number, NodeJS.Timeout>
  /** Channel types by id of the connections whose events have been taken. */
  channels: Map<number, string>
  /**
   * Position by company up to which events that waited when this process started are processed alone, because they may have
   * killed an earlier process. Null until it is known; nothing is taken before.
   */
  alone: Map<number, number> | null
  /** Ids of events counted as the only work of this process. */
  begun: Set<string>
}
const states = new WeakMap<Platform, State>()

function stateOf(platform: Platform): State {
  const state = states.get(platform) ?? {
    turns: new Map(),
    pauses: new Map(),
    retries: new Map(),
    channels: new Map(),
    alone: null,
    begun: new Set<string>(),
  }
  states.set(platform, state)
  return state
}

/**
 * Starts processing a tenant's journal unless it runs already (then it runs once more) or pauses after a fault. Data of
 * `appended` events is looked up while they are taken.
 */
export function wakeIngest(platform: Platform, tenantId: number, appended: readonly JournalRow[] = []): void {
  const { turns, pauses, alone } = stateOf(platform)
  if (!alone || pauses.get(tenantId)?.timer) return
  const turn = turns.get(tenantId)
  if (turn) {
    turn.repeat = true
    turn.appended = [...turn.appended, ...appended].slice(0, BATCH)
    return
  }
  const mine: Turn = { running: Promise.resolve(), repeat: false, appended: appended.slice(0, BATCH) }
  begin(platform, tenantId, mine, takeTurn(platform, tenantId, mine))
}

function begin(platform: Platform, tenantId: number, turn: Turn, running: Promise<void>): void {
  const { turns } = stateOf(platform)
  turns.set(tenantId, turn)
  turn.running = running.finally(() => {
    turns.delete(tenantId)
    // Woken between its last query and its end.
    if (turn.repeat) wakeIngest(platform, tenantId, turn.appended)
  })
}

/**
 * Processes messages in the transaction that records them, if nothing of their company waits or is being processed;
 * true: stored and published. False: append them, even if they may be stored. Receipts and acts must be recorded before
 * processing, because the outbox looks for them.
 */
export async function processAtOnce(
  platform: Platform,
  tenantId: number,
  rows: readonly JournalRow[],
): Promise<boolean> {
  const { turns, pauses, retries, alone } = stateOf(platform)
  if (!alone || alone.has(tenantId) || platform.turns.isTaken()) return false
  if (turns.has(tenantId) || pauses.get(tenantId)?.timer || retries.has(tenantId)) return false
  const expected = toExpect(platform, rows).filter(({ payload }) => payload.type === 'message')
  if (expected.length < rows.length || rows.length > BATCH) return false
  let isProcessed = false
  const work = async () => {
    isProcessed = await unit(platform, { tenantId, user: null, isGuarded: true }, async (ctx) => {
      const [entries, found] = await Promise.all([recordEntries(ctx.db, tenantId, rows), lookUpExpected(ctx, expected)])
      if (entries) await apply(ctx, entries, found)
      return entries !== null
    })
  }
  const turn: Turn = { running: Promise.resolve(), repeat: false, appended: [] }
  const running = beside(platform, tenantId, work).catch((err) => {
    platform.log.warn({ err, tenantId }, 'messages were not processed at once and are appended')
  })
  begin(platform, tenantId, turn, running)
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, MOST_AT_ONCE_MS)
  await Promise.race([turn.running, late.promise])
  clearTimeout(timer)
  return isProcessed
}

async function takeTurn(platform: Platform, tenantId: number, turn: Turn): Promise<void> {
  try {
    do {
      turn.repeat = false
      let taken: number | 'busy'
      do {
        const expected = turn.appended
        turn.appended = []
        taken = await processBatch(platform, tenantId, expected)
      } while (taken === BATCH)
      if (taken === 'busy') return pause(platform, tenantId, BUSY_PAUSE_MS, 0)
    } while (turn.repeat)
    stateOf(platform).pauses.delete(tenantId)
    endDelay(platform, 'turn', tenantId)
  } catch (err) {
    if (!isInfrastructure(err)) return platform.log.error({ err, tenantId }, 'ingest stopped; the recovery goes on')
    platform.log.warn({ err, tenantId }, 'ingest waits: database, disk or connection failed')
    reportDelay(platform, 'turn', tenantId, err)
    const faults = stateOf(platform).pauses.get(tenantId)?.faults ?? 0
    pause(platform, tenantId, Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** faults), faults + 1)
  }
}

function pause(platform: Platform, tenantId: number, ms: number, faults: number): void {
  const end = () => {
    mine.timer = null
    wakeIngest(platform, tenantId)
  }
  const mine: Pause = { timer: setTimeout(end, ms).unref(), faults }
  stateOf(platform).pauses.set(tenantId, mine)
}

function retrySoon(platform: Platform, tenantId: number): void {
  const { retries } = stateOf(platform)
  if (retries.has(tenantId)) return
  const retry = () => {
    retries.delete(tenantId)
    wakeIngest(platform, tenantId)
  }
  retries.set(tenantId, setTimeout(retry, RETRY_MS).unref())
}

/** Resumes all paused processing once the database is back; appending is considered healthy until it fails again. */
export async function resumeIngest(platform: Platform): Promise<void> {
  const { pauses } = stateOf(platform)
  for (const [tenantId, { timer }] of [...pauses]) {
    if (!timer) continue
    clearTimeout(timer)
    pauses.delete(tenantId)
    wakeIngest(platform, tenantId)
  }
  endAppendDelays(platform)
  await recoverIngest(platform)
}

/**
 * Waits until this process has nothing left to process (tests), and briefly for tenants blocked by another transaction;
 * pauses after faults are not waited for.
 */
export async function ingestIdle(platform: Platform): Promise<void> {
  const { turns, pauses } = stateOf(platform)
  const isBusy = () => [...pauses.values()].some(({ timer, faults }) => timer && faults === 0)
  for (let looks = 0; turns.size > 0 || (isBusy() && looks < 100); looks++) {
    await Promise.all([...turns.values()].map((turn) => turn.running))
    if (turns.size === 0 && isBusy()) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Cancels the pauses and waits for running processing (shutdown). */
export async function stopIngest(platform: Platform): Promise<void> {
  const { pauses, retries } = stateOf(platform)
  const clear = () => {
    for (const pause of pauses.values()) {
      clearTimeout(pause.timer ?? undefined)
      pause.timer = null
    }
    for (const timer of retries.values()) clearTimeout(timer)
  }
  clear()
  await ingestIdle(platform)
  clear()
}

/** Wakes every tenant with waiting events: at start, and every few seconds for events left behind. */
export async function recoverIngest(platform: Platform): Promise<void> {
  refreshDelays(platform)
  try {
    const state = stateOf(platform)
    const waiting = await platform.db.asPlatform((db) => tenantsWithWaiting(db, BATCH))
    state.alone ??= new Map(waiting.map(({ tenantId, upTo }) => [tenantId, upTo]))
    for (const { tenantId } of waiting) wakeIngest(platform, tenantId)
    endDelay(platform, 'recovery', EVERYBODY)
  } catch (err) {
    if (isInfrastructure(err)) reportDelay(platform, 'recovery', EVERYBODY, err)
    throw err
  }
}

/**
 * Processes the next events of a tenant in one transaction; returns their number, or that another process is doing it. A
 * failed batch is repeated event by event to find the bad one. Infrastructure errors are thrown: nothing is counted or
 * marked, and the same events are retried.
 */
async function processBatch(
  platform: Platform,
  tenantId: number,
  appended: readonly JournalRow[],
): Promise<number | 'busy'> {
  const { channels, alone } = stateOf(platform)
  if (alone?.has(tenantId)) return processSingly(platform, tenantId)
  const expected = toExpect(platform, appended)
  const work = () =>
    unit(platform, { tenantId, user: null, isGuarded: true }, async (ctx) => {
      const [next, found] = await Promise.all([takeEntries(ctx.db, tenantId, BATCH), lookUpExpected(ctx, expected)])
      if (!next) return 'busy'
      for (const { connection_id, type } of next.entries) channels.set(connection_id, type)
      await apply(ctx, next.entries, found)
      return next.taken
    })
  try {
    return await beside(platform, tenantId, work)
  } catch (err) {
    if (isInfrastructure(err)) throw err
    platform.log.warn({ err, tenantId }, 'a batch failed and is taken one by one')
    return processSingly(platform, tenantId)
  }
}

// Events of known channels, whose data can be looked up before they are taken.
function toExpect(platform: Platform, rows: readonly JournalRow[]): ExpectedEntry[] {
  const { channels } = stateOf(platform)
  return rows.flatMap(({ connectionId, payload }) => {
    const type = channels.get(connectionId)
    return type ? [{ connection_id: connectionId, payload, type }] : []
  })
}

const beside = <T>(platform: Platform, tenantId: number, work: () => Promise<T>): Promise<T> =>
  platform.turns.beside(() => atWork(`events of company ${tenantId}`, work))

async function processSingly(platform: Platform, tenantId: number): Promise<number | 'busy'> {
  const { alone } = stateOf(platform)
  const upTo = alone?.get(tenantId) ?? 0
  const entries = await unit(platform, { tenantId, user: null }, (ctx) => nextEntries(ctx.db, BATCH))
  const blocked = new Set<string>()
  for (const { id, seq, connection_id, payload, is_last_chance } of entries) {
    const conversation = conversationOf(connection_id, payload.conversationKey)
    // A conversation keeps its order: events after a failure wait with it, other conversations continue.
    if (blocked.has(conversation)) continue
    const isAlone = seq <= upTo
    if (isAlone && is_last_chance && platform.turns.probationMs() > 0) {
      blocked.add(conversation)
      continue
    }
    const outcome = await (isAlone ? processAlone : processOne)(platform, tenantId, id)
    if (outcome === 'busy') return 'busy'
    if (outcome === 'failed') blocked.add(conversation)
  }
  if (blocked.size === 0) {
    alone?.delete(tenantId)
    return entries.length
  }
  retrySoon(platform, tenantId)
  return 0
}

/** Result of an event that was processed by itself; `over`: processed, or set aside. */
type Outcome = 'over' | 'failed' | 'busy'

const processOne = (platform: Platform, tenantId: number, id: string): Promise<Outcome> =>
  beside(platform, tenantId, () => takeOne(platform, tenantId, id))

/** Processes alone, counted before, an event that waited at the start: if the process dies, it is the cause. */
const processAlone = (platform: Platform, tenantId: number, id: string): Promise<Outcome> =>
  platform.turns.alone((company) =>
    atWork(`event ${id} of company ${tenantId}`, async () => {
      const { begun } = stateOf(platform)
      const base = { tenantId, user: null }
      if (!company.aborted && !begun.has(id)) {
        const isSetAside = await unit(platform, base, async (ctx) => {
          const isDeadly = await countBeginning(ctx.db, id, ctx.now)
          if (isDeadly) publishSetAside(ctx)
          return isDeadly
        })
        if (isSetAside) {
          platform.log.error({ tenantId, journalId: id }, 'an event is put aside: processes died of it')
          return 'over'
        }
        begun.add(id)
      }
      let outcome: Outcome | undefined
      try {
        outcome = await takeOne(platform, tenantId, id)
        return outcome
      } finally {
        // It waits, but not because of the event itself.
        if (outcome !== 'over' && outcome !== 'failed' && begun.has(id))
          await unit(platform, base, (ctx) => takeBackBeginning(ctx.db, id)).then(
            () => begun.delete(id),
            () => {},
          )
        else begun.delete(id)
      }
    }),
  )

async function takeOne(platform: Platform, tenantId: number, id: string): Promise<Outcome> {
  const base = { tenantId, user: null }
  try {
    return await unit(platform, base, async (ctx) => {
      const next = await takeEntries(ctx.db, tenantId, 1, id)
      if (next) await apply(ctx, next.entries)
      return next ? 'over' : 'busy'
    })
  } catch (err) {
    if (isInfrastructure(err)) throw err
    const isSetAside = await unit(platform, base, (ctx) => noteFailure(ctx, id, toError(err)))
    platform.log.error({ err, tenantId, journalId: id, isSetAside }, 'an event failed')
    return isSetAside ? 'over' : 'failed'
  }
}

async function noteFailure(ctx: Ctx, id: string, error: Error & { code?: unknown }): Promise<boolean> {
  const code = typeof error.code === 'string' ? error.code : error.name
  const isSetAside = await countFailure(ctx.db, id, { code, reason: error.message, now: ctx.now })
  if (isSetAside) publishSetAside(ctx)
  return isSetAside
}

const publishSetAside = (ctx: Ctx): void =>
  ctx.emit(journalEvents.changed, {}, { kind: 'permission', permission: 'journal:write' })

/** Returns the messages that an event refers to; for a watermark, all sent ones. */
function spokenOfIn({ connection_id: connectionId, payload }: TakenEntry): readonly SpokenOf[] {
  if (payload.type === 'watermark') return [{ connectionId, providerId: null }]
  return payload.type === 'receipt' || isAct(payload) ? [{ connectionId, providerId: payload.providerId }] : []
}

async function apply(ctx: Ctx, entries: readonly TakenEntry[], expected: Found | null = null): Promise<void> {
  if (entries.length === 0) return
  const spokenOf = entries.flatMap(spokenOfIn)
  // Before any lock is taken.
  if (spokenOf.length > 0) await awaitSending(ctx.db, spokenOf)
  await applyAddressNews(ctx, entries)
  const groups = await applyGroups(ctx, entries)
  const remaining = await reconcileEchoes(ctx, entries)
  const awaited = [...(await applyMessages(ctx, remaining, expected, groups)), ...(await applyHistory(ctx, entries))]
  await writeGroupEventRows(ctx, entries, groups)
  await publishNewsOfGroups(ctx, entries, groups)
  applyAddresses(ctx, entries)
  await applyContinuations(ctx, entries)
  for (const conversation of await applyReceipts(ctx, entries)) enqueueSending(ctx, conversation)
  for (const { payload, connection_id: connectionId } of entries)
    if (payload.type === 'receipt' && payload.stops) ctx.enqueue(stopJob, { connectionId, cause: payload.stops })
  await applyActs(
    ctx,
    entries.filter(({ is_removed }) => !is_removed),
    awaited,
  )
  await ctx.platform.checkpoint('before ingest commit')
}
