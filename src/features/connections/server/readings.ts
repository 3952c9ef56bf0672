import { isSendFailure } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import { stopConnection } from './save.ts'

/**
 * What a reading in the background failed with: the connection is stopped where its provider lets nothing pass any more, a refusal
 * is logged with `complaint`, and everything else thrown on, so that the job comes again.
 */
export async function takeFailure(
  platform: Platform,
  of: { readonly tenantId: number; readonly connectionId: number },
  { error: err, complaint }: { readonly error: unknown; readonly complaint: string },
): Promise<void> {
  const stops = isSendFailure(err) ? err.stops : undefined
  if (stops) await stopConnection(platform, of.tenantId, of.connectionId, stops)
  else if (!isSendFailure(err) || err.kind !== 'refused') throw err
  platform.log.warn({ err, ...of }, complaint)
}
