import { z } from 'zod'
import { receive } from '#features/ledger/server/ingest/index.ts'
import type { ProviderEvent, Report } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { job } from '#server/job.ts'
import { labEvents } from '../contract.ts'
import { readFaults } from './faults.ts'
import { finish } from './finish.ts'
import { labAudience } from './phones.ts'
import { saveFaults } from './queries.ts'
import type { PhoneRow } from './rows.ts'

/** Disarms the provider fault of a phone after it took effect, and publishes that. */
export async function disarm(ctx: Ctx, { id: phoneId, faults }: PhoneRow): Promise<void> {
  await saveFaults(ctx.db, phoneId, { ...readFaults(faults), provider: '' })
  ctx.emit(labEvents.changed, { phoneId }, labAudience)
  ctx.emit(labEvents.fault, { phoneId, what: 'provider', seconds: null }, labAudience)
}

/** Enqueues reports of the provider; `brings`: id of the phone's message that has arrived with the last of them. */
export function enqueueReports(
  ctx: Ctx,
  { id: phoneId, connection_id }: PhoneRow,
  reports: readonly Report[],
  brings?: string,
) {
  for (const [index, { afterMs, events }] of reports.entries())
    ctx.enqueue(
      reportJob,
      {
        ...{ phoneId, connectionId: connection_id, events: [...events] },
        ...(brings && index === reports.length - 1 ? { brings } : {}),
      },
      { runAt: new Date(ctx.now.getTime() + afterMs) },
    )
}

/** Job that receives events from the provider; repeated ones are recognized by their key. */
export const reportJob = job({
  name: 'lab:report',
  schema: z.object({
    phoneId: z.number(),
    connectionId: z.number(),
    events: z.array(z.record(z.string(), z.unknown())),
    brings: z.string().optional(),
  }),
  async run(platform, { tenantId, phoneId, connectionId, events, brings }) {
    await receive(platform, { tenantId, connectionId }, events as unknown as ProviderEvent[])
    if (brings) await finish(platform, tenantId, phoneId, [brings])
  },
})
