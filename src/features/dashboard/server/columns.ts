import { seesWide } from '#domain/access/profiles.ts'
import type { Candidate } from '#domain/distribution/distribute.ts'
import { type ColumnsBy, figuresOf } from '#domain/tickets/figures.ts'
import { candidatesOf } from '#features/ledger/server/turns/index.ts'
import { inList } from '#features/tickets/server/list/index.ts'
import type { Returned } from '#kit/contract.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { dashboard } from '../contract.ts'
import { type Counted, countBy, namesOf } from './queries.ts'

type UserCtx = ReadCtx & { user: Actor }
type Column = Returned<typeof dashboard.columns>['columns'][number]
type Load = Pick<Column, 'absence' | 'load' | 'capacity' | 'free'>
type Asked = { by: ColumnsBy; groups?: boolean | undefined; queueId?: number | undefined }

const nothing = { open: 0, pending: 0, waiting: 0, warned: 0, missed: 0, waitingSince: null, changedAt: null } as const
const away: Load = { absence: 'offline', load: 0, capacity: 0, free: 0 }

const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0)
const isThere = ({ absence }: Candidate): boolean => absence === null
/** Returns an agent's remaining capacity, whether available or not. */
const roomOf = ({ capacity, open }: Candidate): number => Math.max(0, capacity - open)
const loadOf = (one: Candidate): Load => ({
  absence: one.absence,
  load: one.open,
  capacity: one.capacity,
  free: isThere(one) ? roomOf(one) : 0,
})

/** Returns the total load and capacity of a queue's available agents. */
export function loadOfQueue(people: readonly Candidate[], queueId: number): Load {
  const there = people.filter((one) => isThere(one) && one.queueIds.includes(queueId))
  if (there.length === 0) return away
  return {
    absence: null,
    load: sumOf(there.map(({ open }) => open)),
    capacity: sumOf(there.map(({ capacity }) => capacity)),
    free: sumOf(there.map(roomOf)),
  }
}

/** Returns the agents whose load the user sees, and the user's queues; all for users with the tenant-wide view. */
export async function staffOf(ctx: UserCtx, isWide: boolean) {
  const isOwn = (id: number): boolean => isWide || ctx.user.queueIds.includes(id)
  return { people: (await candidatesOf(ctx)).filter(({ queueIds }) => isWide || queueIds.some(isOwn)), isOwn }
}

/**
 * Returns the columns of the attendance panel, limited to the user's queues if that is all they see: without agent (or
 * queue) first, then by pending, open and name.
 */
export async function columnsOf(ctx: UserCtx, { by, groups = false, queueId }: Asked): Promise<Column[]> {
  const { db, user, settings } = ctx
  const isWide = seesWide(user, isOn(settings, 'supervisorAdmin'))
  const counted = new Map(
    (await countBy(db, by, inList(ctx, { ...figuresOf(groups).live, showAll: isWide }))).map((one) => [one.id, one]),
  )
  const { people, isOwn } = await staffOf(ctx, isWide)
  const loads = new Map(
    by === 'user'
      ? people
          .filter(({ queueIds }) => queueId === undefined || queueIds.includes(queueId))
          .map((one) => [one.id, loadOf(one)])
      : [...(await namesOf(db, 'queue')).keys()].filter(isOwn).map((id) => [id, loadOfQueue(people, id)]),
  )
  const names = await namesOf(db, by)
  // Users who left and inactive queues are shown while they have tickets.
  const ids = queueId === undefined ? new Set([null, ...loads.keys(), ...counted.keys()]) : loads.keys()
  const columns = [...ids].map((id) => ({
    ...columnOf(id, id === null ? null : (names.get(id) ?? null), counted.get(id)),
    ...((id !== null && loads.get(id)) || away),
  }))
  return columns.toSorted(
    (a, b) =>
      Number(b.id === null) - Number(a.id === null) ||
      b.pending - a.pending ||
      b.open - a.open ||
      (a.name ?? '').localeCompare(b.name ?? '', 'pt-BR') ||
      (a.id ?? 0) - (b.id ?? 0),
  )
}

function columnOf(id: number | null, name: string | null, counted: Counted | undefined) {
  const { open, pending, waiting, warned, missed, waitingSince, changedAt } = counted ?? nothing
  return {
    ...{ id, name, open, pending, waiting, warned, missed },
    waitingSince: waitingSince?.getTime() ?? null,
    changedAt: changedAt?.getTime() ?? null,
  }
}
