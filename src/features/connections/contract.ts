import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, epochMs, flag, id, idParams, text } from '#kit/fields.ts'

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
  /** How many conversations are open or waiting there; only with `details`. */
  openTickets: z.number().int().optional(),
})

const connectionList = z.object({
  connections: z.array(connectionRow),
  /** With `details`, for those who see the connections: the types that may be made, and how many connections in all. */
  types: z.array(z.string()).optional(),
  maxConnections: z.number().int().optional(),
})

/** A connection, as pickers and the state of channels read it. */
export type ConnectionRow = z.output<typeof connectionRow>

const config = z.record(z.string().max(60), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const connectionDetail = z.object({
  ...row,
  /** What was filled in, by the fields of its channel; a secret is `••••` and its last characters. */
  config,
  /** The path that the provider calls; null where it calls nobody. */
  webhookPath: z.string().nullable(),
})

/** A connection, as those read it who administer channels. */
export type ConnectionDetail = z.output<typeof connectionDetail>

/** What a connection is made of: `config` by the fields of its channel. */
export const connectionForm = z.strictObject({
  type: z.string().max(60),
  name: text(60, 1),
  queueId: id.nullable().default(null),
  config: config.default({}),
})
export type ConnectionForm = z.output<typeof connectionForm>

/** What changes of a connection; what is left out stays, and so does a secret that comes back as it was shown. */
const connectionEdit = z.strictObject({
  name: text(60, 1).optional(),
  queueId: id.nullable().optional(),
  config: config.optional(),
})
export type ConnectionEdit = z.output<typeof connectionEdit>

/** Connections to channels of every type: making, changing, starting and ending them. */
export const connections = contract('connections', {
  list: {
    method: 'GET',
    path: '/whatsapp',
    summary: 'Conexões da empresa com os canais, pelo nome',
    can: 'connections:read',
    query: z.object({ details: flag }),
    returns: connectionList,
  },
  get: {
    method: 'GET',
    path: '/whatsapp/:id',
    summary: 'Uma conexão com o que foi preenchido; segredos mascarados',
    can: 'connections:write',
    params: idParams,
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND'],
  },
  create: {
    method: 'POST',
    path: '/whatsapp',
    summary: 'Criar uma conexão; começa desconectada',
    can: 'connections:write',
    body: connectionForm,
    returns: connectionDetail,
    errors: ['ERR_MAX_CONNECTIONS', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED'],
    touches: ['connections'],
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/whatsapp/:id',
    summary: 'Alterar uma conexão; o que falta e um segredo mascarado ficam como estão',
    can: 'connections:write',
    params: idParams,
    body: connectionEdit,
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED'],
    touches: ['connections'],
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/whatsapp/:id',
    summary: 'Remover uma conexão: o que está em aberto é resolvido, o histórico fica',
    can: 'connections:write',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_WAPP_FOUND'],
    touches: ['connections'],
    audit: true,
  },
  start: {
    method: 'POST',
    path: '/whatsappsession/:id',
    summary: 'Conectar: o provedor é consultado, e a conexão passa a valer',
    can: 'connections:write',
    mode: 'slow',
    params: idParams,
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_CONNECTION_TEST'],
    touches: ['connections'],
    audit: true,
  },
  end: {
    method: 'DELETE',
    path: '/whatsappsession/:id',
    summary: 'Desconectar: nada mais entra nem sai, até que se conecte de novo',
    can: 'connections:write',
    params: idParams,
    returns: connectionDetail,
    errors: ['ERR_NO_WAPP_FOUND'],
    touches: ['connections'],
    audit: true,
  },
})
