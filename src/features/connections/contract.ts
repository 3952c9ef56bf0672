import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { epochMs, id, text } from '#kit/fields.ts'
import * as at from './addresses.ts'

const row = {
  id: z.number().int(),
  name: z.string(),
  /** The type of channel, as its config names it. */
  type: z.string(),
  status: z.enum(['OPENING', 'qrcode', 'PAIRING', 'TIMEOUT', 'CONNECTED', 'DISCONNECTED']),
  number: z.string().nullable(),
  isDefault: z.boolean(),
  queueId: z.number().int().nullable(),
  updatedAt: epochMs,
}
const connectionRow = z.object({
  ...row,
  /** Whether the one who asks may start conversations there. */
  isAllowed: z.boolean(),
})

/** A connection, as pickers and the state of channels read it. */
export type ConnectionRow = z.output<typeof connectionRow>

const value = z.union([z.string(), z.number(), z.boolean()])
const values = z.record(z.string().max(60), value)

const connectionDetail = z.object({
  ...row,
  /** What was filled in, by the fields of its channel; a secret is `••••` and its last characters. */
  values,
  /** The path that the provider calls; null where it calls nobody. */
  webhookPath: z.string().nullable(),
})

/** A connection, as those read it who administer channels. */
export type ConnectionDetail = z.output<typeof connectionDetail>

/** What is filled in of a connection; a secret that comes back as it was shown stays as it is. */
const connectionForm = z.strictObject({ name: text(60, 1), queueId: id.nullable().default(null), values })
export type ConnectionForm = z.output<typeof connectionForm>

/** Connections to channels of every type: making, changing, starting and ending them. */
export const connections = contract(at.connections, {
  list: {
    summary: 'Conexões da empresa com os canais, pelo nome',
    returns: z.object({ connections: z.array(connectionRow) }),
  },
  get: {
    summary: 'Uma conexão com o que foi preenchido; segredos mascarados',
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND'],
  },
  create: {
    summary: 'Criar uma conexão; começa desconectada',
    body: connectionForm.extend({ type: z.string().max(60) }),
    returns: connectionDetail,
    errors: ['ERR_MAX_CONNECTIONS', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma conexão; um segredo mascarado fica como está',
    body: connectionForm,
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED'],
    audit: true,
  },
  start: {
    summary: 'Conectar: o provedor é consultado, e a conexão passa a valer',
    mode: 'slow',
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_CONNECTION_TEST', 'ERR_ACCOUNT_TAKEN'],
    audit: true,
  },
  end: {
    summary: 'Desconectar: nada mais entra nem sai, até que se conecte de novo',
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    connections: typeof connections
  }
}
