import { z } from 'zod'
import { STOP_CAUSES } from '#domain/connections/causes.ts'
import { events } from '#kit/events.ts'
import { epochMs } from '#kit/fields.ts'
import * as at from './addresses.ts'

/** Schema of a connection's status. */
export const connectionStatus = z.enum(['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED'])

/** Schema of the cause of a disconnection (domain/connections/causes.ts). */
export const connectionCause = z.enum(['person', 'network', 'proxy', 'process', ...STOP_CAUSES])

/** Fields of a connection in its events and in lists. */
export const connectionFields = {
  id: z.number().int(),
  name: z.string(),
  /** Channel type, as in the channel config. */
  type: z.string(),
  status: connectionStatus,
  /** Cause of the disconnection; null while connected and if never started. */
  cause: connectionCause.nullable(),
  number: z.string().nullable(),
  isDefault: z.boolean(),
  queueId: z.number().int().nullable(),
  /**
   * Time until which new conversations are started more slowly, because the channel refused some for being too fast; null if
   * it never did.
   */
  slowUntil: epochMs.nullable(),
  updatedAt: epochMs,
}

/**
 * Events of connections: status changed, connection removed, outage, and for users who link devices the code (product facts
 * 3.9).
 */
export const connectionEvents = events(at.connectionEvents, {
  changed: z.object({
    action: z.literal('update'),
    whatsapp: z.object(connectionFields),
  }),
  removed: z.object({ action: z.literal('delete'), whatsappId: z.number().int() }),
  /** Outage of one minute; began at `since`. */
  outage: z.object({ id: z.number().int(), name: z.string(), cause: connectionCause, since: epochMs }),
  /** Message of the provider for administrators, as sentences. */
  told: z.object({ id: z.number().int(), title: z.string(), text: z.string() }),
  code: z.object({
    action: z.literal('update'),
    session: z.object({
      id: z.number().int(),
      status: connectionStatus,
      /** Code to scan, or to type on the phone, until `codeExpiresAt`; null if there is none. */
      qrcode: z.string().nullable(),
      pairingCode: z.string().nullable(),
      codeExpiresAt: epochMs.nullable(),
      retries: z.number().int(),
    }),
  }),
})

declare module '#kit/contract.ts' {
  interface Events {
    connectionEvents: typeof connectionEvents
  }
}
