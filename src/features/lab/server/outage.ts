import { z } from 'zod'
import { keysIn } from '#domain/keys.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { enqueueSending, stopJob } from '#features/ledger/server/outbox/index.ts'
import { takeState } from '#features/provider-numbers/server/index.ts'
import { endWindow } from '#features/tickets/server/change/index.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { type LabFaults, type LabPhone, labEvents } from '../contract.ts'
import { isFaultOf } from '../fault-forms.ts'
import { numberState } from './at-provider.ts'
import { changeFaults, isConnectionDown, readFaults } from './faults.ts'
import { bring, publishFault } from './from-phone.ts'
import { hiddenKey } from './hidden.ts'
import { faultsOfProvider } from './of-provider.ts'
import { labAudience, shownPhone } from './phones.ts'
import { findPhone, lockPhone, pendingMessages, saveFaults, teamMessages } from './queries.ts'
import { giveReceipts } from './to-phone.ts'

/** Arms and disarms faults; an outage ends by itself after ten minutes. */
export async function setFaults(
  ctx: Ctx,
  phoneId: number,
  change: { [K in keyof LabFaults]?: LabFaults[K] | undefined },
): Promise<LabPhone> {
  const phone = required(await lockPhone(ctx.db, phoneId), 'ERR_NOT_FOUND')
  const names = keysIn(change)
  const of = { type: phone.type, isLinked: phone.is_linked, isGroup: phone.is_group }
  if (names.some((name) => !isFaultOf(of, name)))
    fail('ERR_VALIDATION', { faults: 'Esta falha não existe neste canal.' })
  const fault = faultsOfProvider(ctx.platform, phone.type).find(({ id }) => id === change.provider)
  if (change.provider && !fault) fail('ERR_VALIDATION', { faults: 'Esta falha não existe neste canal.' })
  // A fault that stops the connection takes effect at once.
  const stops = fault?.stops
  const armed = changeFaults(readFaults(phone.faults), change, ctx.now.getTime())
  const faults = stops ? { ...armed, provider: '' } : armed
  if (stops) ctx.enqueue(stopJob, { connectionId: phone.connection_id, cause: stops })
  await saveFaults(ctx.db, phoneId, faults)
  if (change.disconnected !== undefined) {
    const back = faults.disconnectedUntil === null ? {} : { runAt: new Date(faults.disconnectedUntil) }
    ctx.enqueue(reconnectJob, { phoneId }, { key: `lab:reconnect:${phoneId}`, ...back })
  }
  if (change.windowClosed) await endWindow(ctx, phone.connection_id, [phone.number, hiddenKey(phone.number)])
  if (change.lowQuality !== undefined || change.restricted !== undefined || change.limited !== undefined)
    for (const one of [readFaults(phone.faults), faults])
      await takeState(ctx, phone.connection_id, numberState(phone.type, one))
  if (phone.is_linked) ctx.stale(`connection ${ctx.tenantId}:${phone.connection_id}`)
  ctx.emit(labEvents.changed, { phoneId }, labAudience)
  return shownPhone(ctx, { ...phone, faults })
}

/**
 * Job that ends an outage: delivers the messages waiting on the phone in order, then their receipts, and sends the team's
 * messages.
 */
export const reconnectJob = job({
  name: 'lab:reconnect',
  schema: z.object({ phoneId: z.number() }),
  async run(platform, { tenantId, phoneId }) {
    const { phone, pending, received } = await platform.db.read(tenantId, async (db) => ({
      phone: await findPhone(db, phoneId),
      pending: await pendingMessages(db, phoneId),
      received: await teamMessages(db, phoneId, ['received']),
    }))
    if (!phone || isConnectionDown(readFaults(phone.faults), platform.now().getTime())) return
    await bring(platform, tenantId, phone, pending)
    await giveReceipts(platform, tenantId, phone, { ids: received, status: 'delivered', turn: 'line' })
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      for (const conversation_key of spellingsOf(phone.number))
        enqueueSending(ctx, { connection_id: phone.connection_id, conversation_key }, { isUrgent: true })
      ctx.emit(labEvents.changed, { phoneId: phone.id }, labAudience)
    })
    publishFault(platform, tenantId, { phoneId: phone.id, what: 'line-back', seconds: null })
  },
})
