import { messageEvents } from '#features/ledger/message-events-contract.ts'
import type { Platform } from '#server/platform.ts'
import { type Change, isOf } from '#server/realtime/audience.ts'

/** Validity of a viewing signal, longer than the interval between two signals. */
const VALID_MS = 60_000

const seen = new WeakMap<Platform, Map<string, number>>()
const keyOf = (tenantId: number, userId: number, ticketId: number) => `${tenantId}:${userId}:${ticketId}`

/** Records which conversations users are viewing on any device, from their screens' signals. */
export function noteViewing(platform: Platform, tenantId: number, changes: readonly Change[]): void {
  for (const change of changes) {
    if (!isOf(change, messageEvents.presence)) continue
    const { ticketId, state, who } = change.payload
    if (!who || (state !== 'viewing' && state !== 'left')) continue
    const now = platform.now().getTime()
    const all = seen.get(platform) ?? new Map<string, number>()
    seen.set(platform, all)
    for (const [key, until] of all) if (until < now) all.delete(key)
    const key = keyOf(tenantId, who.id, ticketId)
    if (state === 'left') all.delete(key)
    else all.set(key, now + VALID_MS)
  }
}

/** Whether a user is viewing a conversation now. */
export const isViewing = (platform: Platform, tenantId: number, userId: number, ticketId: number): boolean =>
  (seen.get(platform)?.get(keyOf(tenantId, userId, ticketId)) ?? 0) > platform.now().getTime()
