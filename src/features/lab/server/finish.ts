import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { labEvents } from '../contract.ts'
import { labAudience } from './phones.ts'
import { moveMessages } from './queries.ts'

/** Marks messages of a phone as delivered, after the product has taken them. */
export const finish = (platform: Platform, tenantId: number, phoneId: number, ids: readonly string[]): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (tx) => {
    const moved = await moveMessages(tx.db, phoneId, { from: ['pending'], to: 'delivered', fromPhone: true, ids })
    if (moved.length > 0) tx.emit(labEvents.status, { phoneId, ids: moved, status: 'delivered' }, labAudience)
  })
