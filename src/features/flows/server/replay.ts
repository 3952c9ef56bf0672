import type { FlowDocument } from '#domain/flow/document.ts'
import { ENGINE, type FlowVersion } from '#domain/flow/recording.ts'
import type { Recording, Replayed, ReplayOutcome } from '#domain/flow/replay.ts'
import { itemAt } from '#domain/present.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, type ReadCtx, reading, unit } from '#server/context.ts'
import { implement } from '#server/http/route.ts'
import { pageOf, pageStartOf } from '#server/paging.ts'
import type { Platform } from '#server/platform.ts'
import { flowReplays } from '../insight-contract.ts'
import { documentIn } from './documents.ts'
import { seedOf } from './live.ts'
import { findFlow, findVersion, publishedDocuments } from './queries.ts'
import {
  findReplay,
  findStored,
  insertReplay,
  listRecorded,
  listReplayed,
  newestReplay,
  type RecordedSession,
  type ReplayCounts,
} from './queries-replay.ts'
import { withReplayThread } from './replay-thread.ts'
import { createReplayer, type Documents, shelfKey } from './replayer.ts'

type Company = { readonly platform: Platform; readonly tenantId: number }
type Wanted = {
  readonly chatFlowId: number
  readonly from: Date
  readonly to: Date
  /** Draft to replay on; null: each conversation on the version that it followed. */
  readonly draft: FlowDocument | null
  readonly most: number
  /** Maximum duration; defaults to a minute. */
  readonly mostMs?: number
  /** Called in the transaction that stores the replay. */
  readonly onStored?: (ctx: Ctx, replay: { readonly id: number; readonly counts: ReplayCounts }) => Promise<void>
}

const MOST_MS = 60_000
/** Margin before the thread's termination in which no more work is sent, so that the counts so far are returned. */
const LAST_MS = 5000
const BATCH = 200

/** Tenants with a running replay; one at a time each. */
const busy = new WeakMap<Platform, Set<number>>()

const recordingOf = ({ id, events }: Pick<RecordedSession, 'id' | 'events'>): Recording => ({
  id,
  events,
  seed: seedOf(id),
})

/** Returns the versions that a conversation started with and entered. */
const versionsIn = ({ events }: Pick<RecordedSession, 'events'>): FlowVersion[] =>
  events.flatMap((event) => [...(event.type === 'start' ? [event] : []), ...(event.flows ?? [])])

const isOf = ({ events }: RecordedSession, chatFlowId: number, hasToBeEqual: boolean): boolean => {
  const [start] = events ?? []
  if (start?.type !== 'start' || start.chatFlowId !== chatFlowId) return false
  // Recordings from before facts were stored cannot be replayed faithfully.
  return start.facts !== undefined && (!hasToBeEqual || start.engine === ENGINE)
}

async function documentsOf({ db }: Pick<ReadCtx, 'db'>, versions: readonly FlowVersion[]): Promise<Documents> {
  const wanted = new Map(versions.map((of) => [shelfKey(of), of]))
  const found: [string, FlowDocument][] = []
  for (const [key, { chatFlowId, version }] of wanted) {
    const stored = await findVersion(db, chatFlowId, version)
    if (stored) found.push([key, stored.definition])
  }
  return found
}

const published = async ({ db }: Pick<ReadCtx, 'db'>): Promise<Documents> =>
  [...(await publishedDocuments(db))].map(([chatFlowId, document]) => [shelfKey({ chatFlowId, version: 0 }), document])

/**
 * Replays the conversations of a period in a worker thread, newest first, within the time limit, and stores the outcomes;
 * without a draft only those that differ.
 */
export async function playPeriod(
  { platform, tenantId }: Company,
  { chatFlowId, from, to, draft, most, onStored, mostMs = MOST_MS }: Wanted,
): Promise<{ id: number; at: Date; counts: ReplayCounts }> {
  const read = <T>(work: (ctx: ReadCtx) => Promise<T>) => reading(platform, { tenantId, user: null }, work)
  return onlyOne(platform, tenantId, async () => {
    const counts = { total: 0, unplayable: 0, isCapped: false, same: 0, words: 0, way: 0, end: 0, stuck: 0 }
    const sessions: { id: string; at: Date; outcome: ReplayOutcome }[] = []
    const documents = await read(published)
    await withReplayThread({ draft, documents }, mostMs, async ({ play }) => {
      // The time limit starts when the thread is available.
      const until = performance.now() + mostMs - LAST_MS
      const sent = new Set<string>()
      const met = new Set<string>()
      for (let behind: RecordedSession | null = null; ; ) {
        const batch: RecordedSession[] = await read(({ db }) =>
          listRecorded(db, { chatFlowId, from, to, behind, limit: BATCH }),
        )
        behind = batch.at(-1) ?? null
        // A conversation that returns to the flow has started it more than once.
        const isFresh = (one: RecordedSession) =>
          isOf(one, chatFlowId, draft === null) && !met.has(one.id) && met.add(one.id)
        const fresh = batch.filter(isFresh).slice(0, most - counts.total)
        const missing = fresh.flatMap(versionsIn).filter((of) => !sent.has(shelfKey(of)))
        const { added, stored } = await read(async (ctx) => ({
          added: await documentsOf(ctx, missing),
          stored: draft
            ? null
            : await findStored(
                ctx.db,
                fresh.map(({ id }) => id),
              ),
        }))
        for (const of of missing) sent.add(shelfKey(of))
        const recordings = fresh.map((one) => ({ ...recordingOf(one), stored: stored?.get(one.id) ?? null }))
        const outcomes = await play({ added, recordings })
        outcomes.forEach((outcome, index) => {
          const { id, at } = itemAt(fresh, index)
          counts.total++
          counts[outcome ?? 'unplayable']++
          if (outcome && (draft || outcome !== 'same')) sessions.push({ id, at, outcome })
        })
        if (!behind || batch.length < BATCH) return
        if (counts.total >= most || performance.now() > until) {
          counts.isCapped = true
          return
        }
      }
    })
    const row = { chatFlowId, definition: draft, from, to, counts, sessions }
    return await unit(platform, { tenantId, user: null }, async (ctx) => {
      const id = await insertReplay(ctx.db, row, ctx.now)
      await onStored?.(ctx, { id, counts })
      return { id, at: ctx.now, counts }
    })
  })
}

/** Runs the only replay of a company at a time; fails with ERR_FLOW_REPLAY_RUNNING during another one. */
async function onlyOne<T>(platform: Platform, tenantId: number, work: () => Promise<T>): Promise<T> {
  const own = busy.get(platform) ?? new Set<number>()
  busy.set(platform, own)
  if (own.has(tenantId)) fail('ERR_FLOW_REPLAY_RUNNING')
  own.add(tenantId)
  try {
    return await work()
  } finally {
    own.delete(tenantId)
  }
}

/** Maximum number of conversations per replay. */
const MOST = 10_000

const summary = (row: NonNullable<Awaited<ReturnType<typeof findReplay>>>): Returned<typeof flowReplays.create> => ({
  ...{ id: row.id, at: row.created_at },
  ...(row.counts as ReplayCounts),
})

const sideOf = ({ texts, path, session, direction }: Replayed, isHidden: boolean) => ({
  texts: isHidden ? [] : texts.map(({ number, body }) => ({ isBot: number !== null, body })),
  path: path.map((step) => ({ ...step })),
  end: session.end,
  to: direction?.to ?? null,
  id:
    direction && 'queueId' in direction
      ? direction.queueId
      : direction && 'userId' in direction
        ? direction.userId
        : null,
  waiting: session.waiting?.for ?? null,
})

/** Route handlers of replays. */
export const replayRoutes = implement(flowReplays, {
  create: async ({ platform, tenantId }, { params, body }) => {
    const chatFlowId = params.id
    const [from, to] = [new Date(Number(body.from)), new Date(Number(body.to))]
    if (from > to) fail('ERR_VALIDATION', { to: 'O fim do período vem antes do começo.' })
    const draft = await reading(platform, { tenantId, user: null }, async ({ db }) =>
      documentIn(required(await findFlow(db, chatFlowId), 'ERR_NO_CHAT_FLOW_FOUND')),
    )
    const { id, at, counts } = await playPeriod({ platform, tenantId }, { chatFlowId, from, to, draft, most: MOST })
    return { id, at, ...counts }
  },
  latest: async ({ db }, { params }) => {
    required(await findFlow(db, params.id), 'ERR_NO_CHAT_FLOW_FOUND')
    const [last, night] = [await newestReplay(db, params.id, false), await newestReplay(db, params.id, true)]
    return { last: last ? summary(last) : null, night: night ? summary(night) : null }
  },
  pairs: async (ctx, { params, query }) => {
    const stored = required(await findReplay(ctx.db, params.id, params.replayId), 'ERR_NO_FLOW_REPLAY_FOUND')
    const start = pageStartOf<[number, string]>(query, 2)
    const found = await listReplayed(ctx.db, stored.id, query.outcome, visibleSql(ctx.user, ctx.settings), {
      ...start,
      limit: Math.min(start.limit, 41),
    })
    const { rows, paging } = pageOf(found, ({ position, id }) => [position, id])
    const documents = [...(await published(ctx)), ...(await documentsOf(ctx, rows.flatMap(versionsIn)))]
    const { play } = createReplayer(stored.definition, documents)
    const isHidden = ctx.user.restrictedUser
    return {
      pairs: rows.flatMap(({ id, at, ticketId, contactName, events }) => {
        const played = play(recordingOf({ id, events }))
        if (!played) return []
        const { before, after } = played
        return [{ ticketId, contactName, at, before: sideOf(before, isHidden), after: sideOf(after, isHidden) }]
      }),
      ...paging,
    }
  },
})
