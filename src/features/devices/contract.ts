import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'

const device = z.object({
  id: uuid,
  /** Display name of browser and system, from the user agent. */
  name: z.string(),
  ip: z.string(),
  method: z.enum(['password', 'code', 'passkey', 'oidc', 'masterkey']),
  createdAt: isoTime,
  lastUsedAt: isoTime,
  /** Whether it is the requesting device. */
  isCurrent: z.boolean(),
})

/** A device with a login session. */
export type Device = z.output<typeof device>

const ended = z.object({ ended: z.number().int() })

/** API contract of the user's devices, with one active session each. */
export const devices = contract(at.devices, {
  list: {
    summary: 'Dispositivos em que se está conectado, o usado por último primeiro',
    query: pageQuery,
    returns: z.object({ sessions: z.array(device), ...pageAnswer }),
  },
  revoke: {
    summary: 'Encerrar a sessão de um dos próprios dispositivos',
    params: z.object({ id: uuid }),
    returns: ended,
    errors: ['ERR_NO_SESSION_FOUND'],
    audit: true,
  },
  revokeOthers: {
    summary: 'Encerrar as sessões de todos os outros dispositivos',
    returns: ended,
    audit: true,
  },
  revokeAll: {
    summary: 'Sair de todos os dispositivos, deste também',
    returns: ended,
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    devices: typeof devices
  }
}
