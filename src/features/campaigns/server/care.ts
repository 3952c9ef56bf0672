import { LAST_SENT, type NumberFacts } from '#domain/campaigns/care.ts'
import { begunPerDay, begunToday, mayBeginAt, type Pace, type PaceState } from '#domain/connections/pace.ts'
import { channelType } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import { type Line, outcomesOf } from './queries-turn.ts'

const DAY_MS = 24 * 3_600_000

/** How a connection has sent of late, as the outbox keeps it. */
export type KnownPace = { readonly pace: Pace; readonly state: PaceState } | null

/** Whether haste costs a connection of this type its number. */
const isLinked = (type: string): boolean => channelType(type)?.config.isPaced === true

/** How many conversations a number may begin within a day; null: any number. */
const dailyLimit = ({ type, firstConnectedAt, numberState }: Line, now: number): number | null =>
  isLinked(type) ? begunPerDay(firstConnectedAt?.getTime() ?? null, now) : numberState?.dailyLimit || null

/** Reads what decides how far a number may go on. */
export async function numberFacts(db: Queryable, line: Line, known: KnownPace, now: Date): Promise<NumberFacts> {
  const since = new Date(now.getTime() - DAY_MS)
  return {
    isLinked: isLinked(line.type),
    outcomes: await outcomesOf(db, line.id, { since, most: LAST_SENT }),
    quality: line.numberState?.quality ?? null,
    status: line.numberState?.status ?? '',
    firstContactsToday: known ? begunToday(known.state, now.getTime()) : 0,
    firstContactsLimit: dailyLimit(line, now.getTime()),
  }
}

/** From when on one more conversation may be begun (epoch ms); `written` have been, and did not leave yet. */
export function firstContactAt(line: Line, known: KnownPace, written: number, now: number): number {
  const perDay = dailyLimit(line, now)
  return known && perDay !== null ? mayBeginAt(known.state, known.pace, { now, perDay, written }) : now
}
