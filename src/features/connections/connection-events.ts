import { z } from 'zod'
import { STOP_CAUSES } from '#domain/connections/causes.ts'
import { events } from '#kit/events.ts'
import { epochMs } from '#kit/fields.ts'
import * as at from './addresses.ts'

/** How a connection stands. */
export const connectionStatus = z.enum(['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED'])

/** Why a connection is away (domain/connections/causes.ts). */
export const connectionCause = z.enum(['person', 'network', 'proxy', 'process', ...STOP_CAUSES])

/** What is told of connections: how each stands, that one is gone, and to those who link devices the code to be read (product facts 3.9). */
export const connectionEvents = events(at.connectionEvents, {
  changed: z.object({
    action: z.literal('update'),
    whatsapp: z.object({
      id: z.number().int(),
      name: z.string(),
      type: z.string(),
      status: connectionStatus,
      cause: connectionCause.nullable(),
      number: z.string().nullable(),
      isDefault: z.boolean(),
      queueId: z.number().int().nullable(),
      slowUntil: epochMs.nullable(),
      updatedAt: epochMs,
    }),
  }),
  removed: z.object({ action: z.literal('delete'), whatsappId: z.number().int() }),
  /** It has been away for a minute; `since` when. */
  outage: z.object({ id: z.number().int(), name: z.string(), cause: connectionCause, since: epochMs }),
  /** Its provider told something of which administrators have to know, in words. */
  told: z.object({ id: z.number().int(), title: z.string(), text: z.string() }),
  code: z.object({
    action: z.literal('update'),
    session: z.object({
      id: z.number().int(),
      status: connectionStatus,
      /** What is to be read, or typed on the phone, until `codeExpiresAt`; null where nothing is any more. */
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
