import { z } from 'zod'
import { events } from '#kit/events.ts'
import { epochMs } from '#kit/fields.ts'

/** What is told of connections (product facts 3.9): how one stands, and that one is gone. */
export const connectionEvents = events({
  changed: {
    channel: 'whatsapp',
    type: 'whatsapp:update',
    kept: true,
    payload: z.object({
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
  },
  removed: {
    channel: 'whatsapp',
    type: 'whatsapp:delete',
    kept: true,
    payload: z.object({ action: z.literal('delete'), whatsappId: z.number().int() }),
  },
})
