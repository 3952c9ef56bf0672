import { isSendFailure } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import { stopConnection } from './save.ts'

/**
 * Handles the failure of a background read: stops the connection if its provider is gone for good, logs a refusal with
 * `complaint`, rethrows anything else, so that the job is retried.
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
