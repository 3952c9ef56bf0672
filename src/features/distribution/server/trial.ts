import { isOpen } from '#domain/calendar/business-hours.ts'
import { startOfDay } from '#domain/calendar/day.ts'
import { isoDay, localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { type Arrival, type Outcome, outcomeOf, type Player, replay } from '#domain/distribution/replay.ts'
import { capacityOf, findArrivals, findPeople, rulesOf, walletsRule } from '#features/ledger/server/turns/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { companyHours } from '#server/company-hours.ts'
import type { ReadCtx } from '#server/context.ts'
import type { distribution } from '../contract.ts'

/** Maximum number of replayed arrivals of a day. */
const MOST = 5000
const DAY_MS = 86_400_000
/** Assumed duration of an attendance without data. */
const USUAL_MS = 15 * 60_000

/** Replays yesterday's arrivals of a queue with the present and with changed rules. */
export async function tryRules(
  ctx: ReadCtx,
  { queueId, ...wanted }: Input<typeof distribution.tryRules>['body'],
): Promise<Returned<typeof distribution.tryRules>> {
  const { db, settings, now } = ctx
  const rules = await rulesOf(ctx)
  const rule = rules.queues.get(queueId) ?? fail('ERR_NO_QUEUE_FOUND')
  const { distribution: mode, overflowQueueId, overflowMinutes } = wanted
  if (overflowQueueId !== null && !rules.queues.has(overflowQueueId)) fail('ERR_NO_QUEUE_FOUND')
  const today = startOfDay(settings.timezone, now.getTime()).getTime()
  // A day may be an hour longer or shorter.
  const from = startOfDay(settings.timezone, today - DAY_MS / 2).getTime()
  const found = await findArrivals(db, new Date(from), new Date(today), walletsRule(settings), MOST)
  const arrivals = durations(found.map(({ at, ...one }) => ({ ...one, at: at.getTime() })))
  const offset = offsetMinutes(settings.timezone, from)
  const people = await playersOf(ctx, offset)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const play = (as: typeof rule) => {
    const queues = new Map(rules.queues).set(queueId, as)
    const played = replay(arrivals, people, { ...rules, queues }, { from, to: today })
    return shown(outcomeOf(played.filter(({ arrival }) => arrival.queueId === queueId)), names)
  }
  return {
    day: isoDay(localTime(from, offset)),
    now: play(rule),
    changed: play({ mode: mode ?? rules.noQueue, overflowQueueId, overflowMinutes }),
  }
}

// Unfinished attendances get the median duration of the others.
function durations(found: readonly (Omit<Arrival, 'tookMs'> & { tookMs: number | null })[]): Arrival[] {
  const known = found.flatMap(({ tookMs }) => (tookMs === null ? [] : [Math.max(0, tookMs)])).sort((a, b) => a - b)
  const usual = known[Math.floor(known.length / 2)] ?? USUAL_MS
  return found.map((one) => ({ ...one, tookMs: Math.max(0, one.tookMs ?? usual) }))
}

/** Returns all agents, available during their hours. */
async function playersOf({ db, settings, now }: ReadCtx, offset: number): Promise<Player[]> {
  const { holidays } = companyHours(settings)
  const people = await findPeople(db, now)
  return people.map(({ id, name, email, queueIds, connectionIds, week, ...person }) => ({
    ...{ id, name, email, queueIds, connectionIds, capacity: capacityOf(settings, person) },
    absenceAt: (at) => (isOpen(week ?? [], holidays, localTime(at, offset)) ? null : 'hours'),
  }))
}

const shown = ({ people, ...outcome }: Outcome, names: ReadonlyMap<number, string>) => ({
  ...outcome,
  people: people.map(({ userId, given }) => ({ id: userId, name: names.get(userId) ?? '', given })),
})
