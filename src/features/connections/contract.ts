import { z } from 'zod'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { done, epochMs, flag, onOff, pageAnswer, pageQuery } from '#kit/fields.ts'
import { connectionList as listed } from './addresses.ts'
import * as at from './connection-addresses.ts'
import { connectionCause, connectionStatus } from './connection-events.ts'
import {
  connectionChoice,
  connectionClosing,
  connectionConfig,
  connectionEdit,
  connectionForm,
  connectionStart,
  connectionTrial,
} from './forms.ts'

const row = {
  id: z.number().int(),
  name: z.string(),
  /** The type of channel, as its config names it. */
  type: z.string(),
  status: connectionStatus,
  /** Why it is away; null while it is not, and where it never was started. */
  cause: connectionCause.nullable(),
  number: z.string().nullable(),
  isDefault: z.boolean(),
  queueId: z.number().int().nullable(),
  /** Whether it has ever been connected; until then only those who set it up get notices about it. */
  wasConnected: z.boolean(),
  /** Its channel refused conversations for haste: until then they are begun more slowly. Null where that never was. */
  slowUntil: epochMs.nullable(),
  updatedAt: epochMs,
}
const connectionRow = z.object({
  ...row,
  /** Whether the one who asks may start conversations there. */
  isAllowed: z.boolean(),
  /** How many conversations are open or waiting there; only with `details`. */
  openTickets: z.number().int().optional(),
  /** State over the last 36 hours, from its outages; only with `details`. Times in milliseconds. */
  health: z
    .object({
      hours: z.array(z.enum(['up', 'down', 'unknown'])).readonly(),
      outages: z.number().int(),
      awayMs: z.number().int(),
      knownMs: z.number().int(),
    })
    .optional(),
})

const connectionList = z.object({
  connections: z.array(connectionRow),
  /** With `details`, for those who see the connections: the types that may be made, and how many connections in all. */
  types: z.array(z.string()).optional(),
  maxConnections: z.number().int().optional(),
  /** The types whose package this installation does not have. */
  missing: z.array(z.string()).optional(),
})

/** A connection, as pickers and the state of channels read it. */
export type ConnectionRow = z.output<typeof connectionRow>

const connectionDetail = z.object({
  ...row,
  /** What was filled in, by the fields of its channel; a secret is `••••` and its last characters. */
  config: connectionConfig,
  /** Whether virtual phones replace its provider; it has no credentials then. */
  isVirtual: z.boolean(),
  /** Whether a message that is taken back loses its text and its file with us as well. */
  destroyMessage: onOff,
  /** Whether a ticket's assistants are switched off when a person attends it. */
  disableExternalIntegration: onOff,
  /** Whether who writes by it is answered as within the hours, whatever the time. */
  ignoreBussinesHours: onOff,
  /** Whether forbidden words are watched for in its groups. */
  wordlist: onOff,
  /** Customer words that end an attendance, one a line; and the default farewell. */
  closeKeyWord: z.string(),
  farewellMessage: z.string(),
  /** The path that the provider calls; null if it does not call. */
  webhookPath: z.string().nullable(),
  /** The same as an address, where the installation knows its own (`PUBLIC_URL`). */
  webhookUrl: z.string().nullable(),
  /** How many calls of its provider were refused, and what came that nothing is made of, with how often; '' where nothing did. */
  refusedCalls: z.number().int(),
  unreadFields: z.string(),
  /** What is to be read by the phone's camera, or typed on it, until `codeExpiresAt`; null where nothing is. */
  qrcode: z.string().nullable(),
  pairingCode: z.string().nullable(),
  codeExpiresAt: epochMs.nullable(),
  /** Remaining lifetime in seconds, as of this answer, so that wrong clocks do not matter. */
  codeSeconds: z.number().int().nullable(),
  /** How many codes were shown since it was started. */
  retries: z.number().int(),
  /** The chat flow that attends new conversations; null: the company's, if it has one. */
  chatFlowId: z.number().int().nullable(),
  /** The proxy of all its traffic; null: direct. */
  proxyId: z.number().int().nullable(),
})

/** A connection, as those read it who administer channels. */
export type ConnectionDetail = z.output<typeof connectionDetail>

export type ConnectionForm = z.output<typeof connectionForm>
export type ConnectionEdit = z.output<typeof connectionEdit>

const outage = z.object({
  id: z.number().int(),
  cause: connectionCause,
  beganAt: epochMs,
  /** Null while it goes on. */
  endedAt: epochMs.nullable(),
  /** Number of messages recovered after the outage; null if unknown. */
  recovered: z.number().int().nullable(),
  /** How many of them the channel could not give; null where it cannot say. */
  missing: z.number().int().nullable(),
})

/** A time in which a connection was away. */
export type Outage = z.output<typeof outage>

/** Connections to channels of every type: making, changing, starting and ending them. */
export const connections = contract(
  { ...listed, ...at.connections },
  {
    list: {
      summary: 'Canais da empresa, pelo nome',
      query: z.object({ details: flag }),
      returns: connectionList,
    },
    get: {
      summary: 'Um canal com o que foi preenchido; segredos mascarados',
      returns: connectionDetail,
      errors: ['ERR_NO_WAPP_FOUND'],
    },
    create: {
      summary: 'Criar um canal; começa desconectado',
      body: connectionForm,
      returns: connectionDetail,
      errors: [
        'ERR_MAX_CONNECTIONS',
        'ERR_CHANNEL_NOT_ALLOWED',
        'ERR_NO_QUEUE_FOUND',
        'ERR_NO_PROXY_FOUND',
        'ERR_DUPLICATED',
      ],
      audit: true,
    },
    update: {
      summary: 'Alterar um canal; o que falta e um segredo mascarado ficam como estão',
      body: connectionEdit,
      returns: connectionDetail,
      errors: [
        'ERR_NO_WAPP_FOUND',
        'ERR_NO_QUEUE_FOUND',
        'ERR_NO_PROXY_FOUND',
        'ERR_DUPLICATED',
        'ERR_NO_CHAT_FLOW_FOUND',
      ],
      audit: true,
    },
    remove: {
      summary: 'Remover um canal: um telefone ligado é desligado, o que está em aberto é resolvido, o histórico fica',
      returns: done,
      errors: ['ERR_NO_WAPP_FOUND'],
      audit: true,
    },
    start: {
      summary: 'Conectar: o provedor é consultado, e o canal passa a valer',
      mode: 'slow',
      body: connectionStart.prefault({}),
      returns: connectionDetail,
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_CONNECTION_TEST', 'ERR_ACCOUNT_TAKEN'],
      audit: true,
    },
    end: {
      summary: 'Desconectar: nada mais entra nem sai, até que se conecte de novo; um telefone ligado é desligado',
      returns: connectionDetail,
      errors: ['ERR_NO_WAPP_FOUND'],
      audit: true,
    },
    renew: {
      summary: 'Novo QR Code: o que estava ligado é esquecido, e outro telefone pode ler',
      returns: connectionDetail,
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_LINK'],
      audit: true,
    },
    reset: {
      summary: 'Recomeçar um canal do zero: chaves esquecidas, novo QR Code',
      returns: connectionDetail,
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_LINK'],
      audit: true,
    },
    test: {
      summary: 'Perguntar ao provedor se aceita o que está preenchido num canal, sem salvar nem conectar',
      mode: 'slow',
      body: connectionTrial,
      returns: z.object({ ok: z.boolean(), text: z.string() }),
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_NO_PROXY_FOUND', 'ERR_RATE_LIMIT'],
    },
    setWebhook: {
      summary: 'Revalidar o webhook: o provedor passa a chamar o endereço deste canal, o que quer que chamasse antes',
      mode: 'slow',
      returns: done,
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_WEBHOOK', 'ERR_CONNECTION_TEST'],
      audit: true,
    },
    outages: {
      summary: 'Quando um canal esteve fora, por que, e o que se recuperou; a mais recente primeiro',
      query: pageQuery.pick({ cursor: true }),
      returns: z.object({ outages: z.array(outage), ...pageAnswer }),
      errors: ['ERR_NO_WAPP_FOUND'],
    },
    setDefault: {
      summary: 'Tornar um canal o padrão: por ele começam as conversas quando ninguém escolhe',
      body: connectionChoice,
      returns: done,
      errors: ['ERR_NO_WAPP_FOUND'],
      audit: true,
    },
    closeOpen: {
      summary: 'Resolver os atendimentos abertos de um canal, em lote',
      body: connectionClosing,
      returns: bulkAnswer,
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_SELECTION_TOO_LARGE'],
      audit: true,
    },
    closePending: {
      summary: 'Resolver os atendimentos pendentes de um canal, em lote',
      body: connectionClosing,
      returns: bulkAnswer,
      errors: ['ERR_NO_WAPP_FOUND', 'ERR_SELECTION_TOO_LARGE'],
      audit: true,
    },
  },
)

declare module '#kit/contract.ts' {
  interface Contracts {
    connections: typeof connections
  }
}
