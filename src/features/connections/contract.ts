import { z } from 'zod'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { done, epochMs, flag, onOff, pageAnswer, pageQuery } from '#kit/fields.ts'
import { connectionList as listed } from './addresses.ts'
import * as at from './connection-addresses.ts'
import { connectionCause, connectionFields } from './connection-events.ts'
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
  ...connectionFields,
  /** Whether the connection was ever connected; until then only users who set connections up get notifications of it. */
  wasConnected: z.boolean(),
}
const connectionRow = z.object({
  ...row,
  /** Whether the requesting user may start conversations on the connection. */
  isAllowed: z.boolean(),
  /** Number of open and pending tickets on the connection; only with `details`. */
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
  /**
   * Channel types that may be created, and maximum number of connections; only with `details`, for users who may see
   * connections.
   */
  types: z.array(z.string()).optional(),
  maxConnections: z.number().int().optional(),
  /** Channel types whose package is not installed. */
  missing: z.array(z.string()).optional(),
})

/** Row of a connection, for pickers and the status of channels. */
export type ConnectionRow = z.output<typeof connectionRow>

const connectionDetail = z.object({
  ...row,
  /** Field values of the channel; a secret is `••••` and its last characters. */
  config: connectionConfig,
  /** Whether virtual phones replace the provider; the connection has no credentials then. */
  isVirtual: z.boolean(),
  /** Whether revoking a message also deletes its text and its file here. */
  destroyMessage: onOff,
  /** Whether a ticket's assistants are switched off when a person attends it. */
  disableExternalIntegration: onOff,
  /** Whether messages are answered as within business hours at any time. */
  ignoreBussinesHours: onOff,
  /** Whether messages in its groups are checked for forbidden words. */
  wordlist: onOff,
  /** Close keywords of the customer, one a line, and the default farewell. */
  closeKeyWord: z.string(),
  farewellMessage: z.string(),
  /** Path that the provider calls; null if it does not call. */
  webhookPath: z.string().nullable(),
  /** Full URL of `webhookPath`; without an origin if the installation has no `PUBLIC_URL`. */
  webhookUrl: z.string().nullable(),
  /** Number of refused webhook calls, and the kinds of unread events with their counts; '' if none. */
  refusedCalls: z.number().int(),
  unreadFields: z.string(),
  /** Code to scan with the phone's camera, or to type on it, until `codeExpiresAt`; null if there is none. */
  qrcode: z.string().nullable(),
  pairingCode: z.string().nullable(),
  codeExpiresAt: epochMs.nullable(),
  /** Remaining lifetime of the code in seconds, as of the response, so that wrong clocks do not matter. */
  codeSeconds: z.number().int().nullable(),
  /** Number of codes shown since the connection was started. */
  retries: z.number().int(),
  /** Id of the chat flow of new conversations; null: the company's, if it has one. */
  chatFlowId: z.number().int().nullable(),
  /** Id of the proxy of all traffic; null: direct. */
  proxyId: z.number().int().nullable(),
})

/** Details of a connection, for users who administer channels. */
export type ConnectionDetail = z.output<typeof connectionDetail>

export type ConnectionForm = z.output<typeof connectionForm>
export type ConnectionEdit = z.output<typeof connectionEdit>

const outage = z.object({
  id: z.number().int(),
  cause: connectionCause,
  beganAt: epochMs,
  /** End of the outage; null while it lasts. */
  endedAt: epochMs.nullable(),
  /** Number of messages recovered after the outage; null if unknown. */
  recovered: z.number().int().nullable(),
  /** Number of messages that the channel could not recover; null if it cannot tell. */
  missing: z.number().int().nullable(),
})

/** Period in which a connection was disconnected. */
export type Outage = z.output<typeof outage>

/** Contract of connections to channels of every type: create, update, start, stop and remove. */
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
