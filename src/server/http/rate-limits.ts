import ipaddr from 'ipaddr.js'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import { lookUp } from '#domain/present.ts'
import { AppError, type ErrorCode } from '#kit/errors.ts'
import type { Database } from '../db/db.ts'
import { type Counted, countTogether, limitStore } from '../db/limit-store.ts'
import type { Log } from '../log.ts'
import { sha256 } from '../secrets.ts'

const DAY = 86_400

/**
 * Rate limits: `points` per `seconds` (decision B22). Guessable operations are counted exactly in the database;
 * frequent ones in memory, shared between processes (decision 0017).
 */
export const limitRules = {
  login: { points: 5, seconds: 60 },
  loginAddress: { points: 30, seconds: 60 },
  loginDay: { points: 200, seconds: DAY },
  secondFactor: { points: 10, seconds: 900 },
  secondFactorDay: { points: 200, seconds: DAY },
  reset: { points: 3, seconds: 900 },
  resetAddress: { points: 10, seconds: 900 },
  masterKey: { points: 5, seconds: 900 },
  signUp: { points: 5, seconds: 3600 },
  once: { points: 1, seconds: 600 },
  mailTest: { points: 10, seconds: 600 },
  providerTest: { points: 20, seconds: 600 },
  voiceState: { points: 40, seconds: 60, isHot: true },
  copilot: { points: 30, seconds: 60, isHot: true },
  api: { points: 600, seconds: 60, isHot: true },
  apiKey: { points: 6000, seconds: 60, isHot: true },
  mcp: { points: 300, seconds: 3600 },
  refusals: { points: 10, seconds: 60, isHot: true },
  widget: { points: 20, seconds: 60, isHot: true },
  widgetOpen: { points: 1800, seconds: 60, isHot: true },
  webhook: { points: 6000, seconds: 60, isHot: true },
  webhookApp: { points: 30_000, seconds: 60, isHot: true },
  webhookOpen: { points: 30_000, seconds: 60, isHot: true },
  widgetSession: { points: 30, seconds: 60, isHot: true },
} as const satisfies Record<string, Rule>

type Rule = { points: number; seconds: number; isHot?: boolean }

/** Name of a rate limit. */
type LimitRule = keyof typeof limitRules

const SHARE_MS = 1000
/** Usage below this share of a frequent limit is not shared with other processes. */
const LOG_SHARE = 0.1

/** Returns the network that limits count by: one IPv6 customer has 2⁶⁴ addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6
    ? ip.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')
    : ip.toString()
}

/** Rate limiters of this process, which share counters with other processes through the database. */
export type RateLimits = ReturnType<typeof createRateLimits>

/** Creates the rate limiters; disabled ones permit everything (load tests, benchmarks). */
export function createRateLimits(enabled: boolean, db: Pick<Database, 'askAsPlatform'>) {
  const exact = limitersOf(db)
  const hot: Hot = new Map()
  const known = new Map<string, Counted>()

  async function consume(rule: LimitRule, key: string, cost = 1): Promise<{ isOver: boolean; msBeforeNext: number }> {
    const { points, isHot }: Rule = limitRules[rule]
    const name = isHot ? hashedOften(key) : hashed(key)
    const { isOver, used } = await exact[rule].consume(name, cost).then(
      (used) => ({ isOver: false, used }),
      (used: RateLimiterRes | Error) => {
        if (used instanceof Error) throw used
        return { isOver: true, used }
      },
    )
    if (isHot && used.consumedPoints >= points * LOG_SHARE) hot.set(`${rule}:${name}`, { rule, key: name })
    return { isOver, msBeforeNext: used.msBeforeNext }
  }

  let sharing = Promise.resolve()
  /** Shares the usage of frequent limits with other processes and reads theirs; one round at a time. */
  const share = (): Promise<void> => {
    sharing = sharing.catch(() => {}).then(() => shareNow(db, exact, hot, known))
    return sharing
  }

  return {
    /** Counts one use, at its cost in points; beyond the limit it fails with the code and the seconds to wait. */
    async use(rule: LimitRule, key: string, code: ErrorCode = 'ERR_RATE_LIMIT', cost = 1): Promise<void> {
      if (!enabled) return
      const { isOver, msBeforeNext } = await consume(rule, key, cost)
      if (isOver) throw new AppError(code, { retryAfter: Math.ceil(msBeforeNext / 1000) })
    },
    /** Counts one use and returns whether it is within the limit. */
    isWithin: async (rule: LimitRule, key: string): Promise<boolean> => !enabled || !(await consume(rule, key)).isOver,
    /** Gives one use back that turned out not to count. */
    async giveBack(rule: LimitRule, key: string): Promise<void> {
      if (enabled) await exact[rule].reward(hashed(key))
    },
    /** Resets the counter, after a success. */
    async forget(rule: LimitRule, key: string): Promise<void> {
      if (enabled) await exact[rule].delete(hashed(key))
    },
    /** Whether a key is seen for the first time, in any process; works also where limits are switched off. */
    isFirst: async (key: string): Promise<boolean> => !(await consume('once', key)).isOver,
    share,
    /** Starts sharing frequent limits; returns a function that stops it. */
    start(log: Log): () => void {
      if (!enabled) return () => {}
      const failed = (err: unknown) => log.warn({ err }, 'limits could not be shared')
      const timer = setInterval(() => void share().catch(failed), SHARE_MS).unref()
      return () => clearInterval(timer)
    },
  }
}

type Hot = Map<string, { readonly rule: LimitRule; readonly key: string }>

/** Counts what this process used of frequent limits with what others did, and continues from the sum. */
async function shareNow(
  db: Pick<Database, 'askAsPlatform'>,
  exact: ReturnType<typeof limitersOf>,
  hot: Hot,
  known: Map<string, Counted>,
): Promise<void> {
  const now = Date.now()
  const used = []
  for (const [name, { rule, key }] of hot) {
    const here = await exact[rule].get(key)
    if (!here || here.msBeforeNext <= 0) {
      hot.delete(name)
      continue
    }
    const before = known.get(name)
    const points = here.consumedPoints - (before && before.expire > now ? before.points : 0)
    used.push({ name, rule, key, here: here.consumedPoints, points, expire: now + here.msBeforeNext })
  }
  if (used.length === 0) return
  const rows = await countTogether(
    db,
    used.map(({ name, points, expire }) => ({ key: name, points, expire })),
    now,
  )
  const byName = new Map(rows.map((row) => [row.key, row]))
  for (const [name, { expire }] of known) if (expire <= now) known.delete(name)
  for (const { name, rule, key, here } of used) {
    const row = lookUp(byName, name)
    const since = ((await exact[rule].get(key))?.consumedPoints ?? here) - here
    await exact[rule].set(key, row.points + since, Math.max(1, row.expire - Date.now()) / 1000)
    known.set(name, row)
  }
}

const hashed = (key: string): string => sha256(key).toString('hex')

// Hashes of frequent limits, computed once.
const hashes = new Map<string, string>()
const MOST_HASHES = 10_000

function hashedOften(key: string): string {
  const found = hashes.get(key)
  if (found) return found
  if (hashes.size >= MOST_HASHES) hashes.clear()
  const made = hashed(key)
  hashes.set(key, made)
  return made
}

function limitersOf(db: Pick<Database, 'askAsPlatform'>): Record<LimitRule, RateLimiterAbstract> {
  const store = { storeClient: limitStore(db), storeType: 'client', tableName: 'rate_limits', tableCreated: true }
  const made = Object.entries<Rule>(limitRules).map(([keyPrefix, { points, seconds, isHot }]) => {
    const rule = { keyPrefix, points, duration: seconds }
    if (isHot) return [keyPrefix, new RateLimiterMemory(rule)]
    // A key over its limit costs no round trip; limits that may be given back are always queried.
    const block = seconds < DAY ? { inMemoryBlockOnConsumed: points + 1 } : {}
    return [keyPrefix, new RateLimiterPostgres({ ...rule, ...store, ...block, clearExpiredByTimeout: false })]
  })
  return Object.fromEntries(made)
}
