import type { Absence, Candidate, DistributionMode, DistributionRules } from '#domain/distribution/distribute.ts'
import type { WalletOwner } from '#domain/tickets/routing.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'
import type { ReadCtx } from '#server/context.ts'
import { findOwners, findPeople, findQueueRules, type PersonRow } from './queries.ts'
import { staff } from './staff.ts'

/** Returns the maximum number of open tickets that a person may be assigned. */
export const capacityOf = (
  { values }: Pick<TenantSettings, 'values'>,
  { capacity, profile }: Pick<PersonRow, 'capacity' | 'profile'>,
): number => capacity ?? (profile === 'user' ? Number(values.maxOpenTickets) : 0)

/** Returns the company's people, or those with these ids, as candidates for distribution. */
export async function candidatesOf(ctx: Known, only?: readonly number[]): Promise<Candidate[]> {
  const people = await findPeople(ctx.db, ctx.now, only)
  return people.map(({ week, isOnline, isPaused, profile, capacity, ...person }) => ({
    ...person,
    absence: absenceOf(ctx, { week, isOnline, isPaused }),
    capacity: capacityOf(ctx.settings, { capacity, profile }),
  }))
}

type Known = Pick<ReadCtx, 'db' | 'settings' | 'now'>

function absenceOf(
  { settings, now }: Known,
  { week, isOnline, isPaused }: Pick<PersonRow, 'week' | 'isOnline' | 'isPaused'>,
): Absence | null {
  if (!isOnline) return 'offline'
  if (isPaused) return 'paused'
  return staff().isOpenNow(settings, week ?? [], now) ? null : 'hours'
}

/** Returns the wallet owners of a contact, by id; the default limit of a role does not apply to their own customers. */
export async function ownersOf(ctx: Known, contactId: number): Promise<WalletOwner[]> {
  const ids = await findOwners(ctx.db, contactId)
  const people = ids.length === 0 ? [] : await findPeople(ctx.db, ctx.now, ids)
  return people.map((one) => {
    const isLimited = one.capacity !== null || one.profile === 'user'
    const hasRoom = !isLimited || one.open < capacityOf(ctx.settings, one)
    return { userId: one.id, isFree: absenceOf(ctx, one) === null && hasRoom }
  })
}

/** Returns the current distribution rules. */
export async function rulesOf({
  db,
  settings,
}: Pick<ReadCtx, 'db' | 'settings'>): Promise<Pick<DistributionRules, 'queues' | 'noQueue'>> {
  const noQueue = isOn(settings, 'selfDistribute') ? (settings.values.selfDistributeMode as DistributionMode) : 'N'
  const queues = (await findQueueRules(db)).map(
    ({ id, mode, ...overflow }) => [id, { mode: mode ?? noQueue, ...overflow }] as const,
  )
  return { noQueue, queues: new Map(queues) }
}

/** Whether wallets decide who may have a ticket; false where customers of an absent owner are open to all. */
export const walletsRule = (settings: TenantSettings): boolean =>
  isOn(settings, 'DirectTicketsToWallets') && !isOn(settings, 'serviceTransfer')
