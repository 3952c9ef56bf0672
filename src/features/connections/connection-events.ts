import { z } from 'zod'
import { events } from '#kit/events.ts'
import { epochMs } from '#kit/fields.ts'
import * as at from './addresses.ts'

/** What is told of connections (product facts 3.9): how one stands, and that one is gone. */
export const connectionEvents = events(at.connectionEvents, {
  changed: z.object({
    action: z.literal('update'),
    whatsapp: z.object({
      id: z.number().int(),
      name: z.string(),
      type: z.string(),
      status: z.enum(['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED']),
      number: z.string().nullable(),
      isDefault: z.boolean(),
      queueId: z.number().int().nullable(),
      updatedAt: epochMs,
    }),
  }),
  removed: z.object({ action: z.literal('delete'), whatsappId: z.number().int() }),
})

declare module '#kit/contract.ts' {
  interface Events {
    connectionEvents: typeof connectionEvents
  }
}
