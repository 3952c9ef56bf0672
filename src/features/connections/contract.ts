import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { epochMs } from '#kit/fields.ts'

const connectionRow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The kind of channel: `lab`, `webchat` … */
  type: z.string(),
  status: z.enum(['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED']),
  number: z.string().nullable(),
  isDefault: z.boolean(),
  /** Whether the one who asks may start conversations there. */
  isAllowed: z.boolean(),
  queueId: z.number().int().nullable(),
  updatedAt: epochMs,
})

/** A connection, as pickers and the state of channels read it. */
export type ConnectionRow = z.output<typeof connectionRow>

/** Connections to channels, first cut: who there is. */
export const connections = contract('connections', {
  list: {
    method: 'GET',
    path: '/whatsapp',
    summary: 'Conexões da empresa com os canais, pelo nome',
    can: 'connections:read',
    returns: z.object({ connections: z.array(connectionRow) }),
  },
})
