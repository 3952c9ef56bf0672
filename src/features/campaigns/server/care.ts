import { LAST_SENT, type NumberFacts } from '#domain/campaigns/care.ts'
import { begunPerDay, begunToday, mayBeginAt, type Pace, type PaceState } from '#domain/connections/pace.ts'
import { channelType } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import { firstContactsSince } from './queries-insight.ts'
import { type KnownConnection, outcomesOf } from './queries-turn.ts'

const DAY_MS = 24 * 3_600_000
const RECHECK_MS = 3_600_000

/** Recent sending pace of a connection, from the outbox. */
export type KnownPace = { readonly pace: Pace; readonly state: PaceState } | null

/** Whether connections of this type may lose their number by fast sending. */
const isLinked = (type: string): boolean => channelType(type)?.config.isPaced === true

/** Returns the maximum number of new conversations of a number per day; null: unlimited. */
const dailyLimit = ({ type, firstConnectedAt, numberState }: KnownConnection, now: number): number | null =>
  isLinked(type) ? begunPerDay(firstConnectedAt?.getTime() ?? null, now) : numberState?.dailyLimit || null

const ageOf = ({ firstConnectedAt }: KnownConnection, now: Date): number | null =>
  firstConnectedAt && Math.floor((now.getTime() - firstConnectedAt.getTime()) / DAY_MS)

/** Reads the facts that decide how much more a number may send. */
export async function numberFacts(
  db: Queryable,
  connection: KnownConnection,
  known: KnownPace,
  now: Date,
): Promise<NumberFacts> {
  const since = new Date(now.getTime() - DAY_MS)
  return {
    isLinked: isLinked(connection.type),
    age: ageOf(connection, now),
    outcomes: await outcomesOf(db, connection.id, { since, most: LAST_SENT }),
    quality: connection.numberState?.quality ?? null,
    status: connection.numberState?.status ?? '',
    firstContactsToday: known
      ? begunToday(known.state, now.getTime())
      : (await firstContactsSince(db, connection.id, since)).count,
    firstContactsLimit: dailyLimit(connection, now.getTime()),
  }
}

/** Returns the time from which one more conversation may be started (epoch ms); `written`: started but not sent yet. */
export function firstContactAt(
  known: KnownPace,
  { firstContactsToday: begun, firstContactsLimit: perDay }: NumberFacts,
  written: number,
  now: number,
): number {
  if (perDay === null) return now
  if (known) return mayBeginAt(known.state, known.pace, { now, perDay, written })
  // The provider of an official number counts by its own day, so it is rechecked.
  return begun + written < perDay ? now : now + RECHECK_MS
}
