import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, isoTime, moment, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { endpointChanges, endpointForm, resendForm } from './forms.ts'
import { endpointTable } from './table.ts'

const endpoint = z.object({
  id: z.number().int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  isActive: z.boolean(),
  hasAuthorization: z.boolean(),
  connectionIds: z.array(z.number().int()),
  queueIds: z.array(z.number().int()),
  /** Whether the settings of the company describe it, and not this form. */
  ofSettings: z.boolean(),
  /** Time since which every delivery fails; null: the last one succeeded. */
  failingSince: isoTime.nullable(),
  /** Reason for disabling the endpoint: the receiver answered 410 (gone), or failed for five days. */
  offReason: z.enum(['gone', 'failing']).nullable(),
  offAt: isoTime.nullable(),
  /** Number of pending deliveries, at most 1000. */
  waiting: z.number().int(),
  lastDeliveredAt: isoTime.nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Endpoint, as API responses return it. */
export type WebhookEndpoint = z.output<typeof endpoint>

const withSecret = z.object({ id: z.number().int(), secret: z.string() })

const delivery = z.object({
  /** Id sent as `webhook-id`. */
  id: uuid,
  type: z.string(),
  seq: z.number().int(),
  status: z.enum(['pending', 'delivered', 'failed']),
  tries: z.number().int(),
  httpStatus: z.number().int().nullable(),
  /** Reason for the failure, as a sentence. */
  problem: z.string().nullable(),
  /** Time of the next automatic attempt; null if there is none. */
  dueAt: isoTime.nullable(),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
})

/** Delivery, as API responses return it. */
export type WebhookDelivery = z.output<typeof delivery>

const attempt = z.object({
  at: isoTime,
  httpStatus: z.number().int().nullable(),
  problem: z.string().nullable(),
  ms: z.number().int(),
  /** First 4 kB of the response. */
  answer: z.string(),
})

/** API contract of webhook endpoints. */
export const webhookEndpoints = contract(at.webhookEndpoints, {
  list: {
    summary: 'Webhooks da empresa, por nome',
    query: listQuery(endpointTable),
    returns: z.object({ items: z.array(endpoint), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Um webhook', returns: endpoint, errors: ['ERR_NO_WEBHOOK_FOUND'] },
  create: {
    summary: 'Novo webhook; o segredo que assina os envios é mostrado só aqui',
    mode: 'slow',
    body: endpointForm,
    returns: withSecret,
    errors: ['ERR_MAX_WEBHOOKS', 'ERR_ADDRESS_REFUSED', 'ERR_NO_WAPP_FOUND', 'ERR_NO_QUEUE_FOUND'],
    audit: true,
  },
  update: {
    summary: 'Alterar um webhook; o que não vem no pedido fica como está',
    mode: 'slow',
    body: endpointChanges,
    returns: endpoint,
    errors: [
      'ERR_NO_WEBHOOK_FOUND',
      'ERR_ADDRESS_REFUSED',
      'ERR_WEBHOOK_OF_SETTINGS',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_QUEUE_FOUND',
    ],
    audit: true,
  },
  remove: {
    summary: 'Excluir um webhook com o registro dos seus envios',
    returns: done,
    errors: ['ERR_NO_WEBHOOK_FOUND', 'ERR_WEBHOOK_OF_SETTINGS'],
    audit: true,
  },
  rotate: {
    summary: 'Novo segredo; o anterior também assina por mais 24 horas',
    mode: 'slow',
    returns: withSecret,
    errors: ['ERR_NO_WEBHOOK_FOUND'],
    audit: true,
  },
  test: {
    summary: 'Enviar agora um evento de teste e ver a resposta',
    mode: 'slow',
    returns: attempt.extend({ deliveryId: uuid, isTaken: z.boolean() }),
    errors: ['ERR_NO_WEBHOOK_FOUND'],
  },
  resend: {
    summary: 'Enviar de novo o que foi registrado num período: o que falhou, ou tudo',
    body: resendForm,
    returns: z.object({ count: z.number().int() }),
    errors: ['ERR_NO_WEBHOOK_FOUND', 'ERR_WEBHOOK_OFF'],
    audit: true,
  },
})

const deliveryParams = z.object({ deliveryId: uuid })

/** API contract of the delivery log. */
export const webhookDeliveries = contract(at.webhookDeliveries, {
  list: {
    summary: 'Envios a um webhook, do mais novo ao mais antigo',
    query: pageQuery.extend({
      status: z.enum(['pending', 'delivered', 'failed']).optional(),
      from: moment.optional(),
      to: moment.optional(),
    }),
    returns: z.object({ deliveries: z.array(delivery), ...pageAnswer }),
    errors: ['ERR_NO_WEBHOOK_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  get: {
    summary: 'Um envio: o que foi enviado e cada tentativa',
    params: deliveryParams,
    returns: delivery.extend({ webhookId: id, body: z.string(), attempts: z.array(attempt) }),
    errors: ['ERR_NO_DELIVERY_FOUND'],
  },
  resend: {
    summary: 'Enviar de novo, com o mesmo identificador',
    params: deliveryParams,
    returns: delivery,
    errors: ['ERR_NO_DELIVERY_FOUND', 'ERR_WEBHOOK_OFF'],
    audit: true,
  },
})

/** Events for those who manage webhooks: the changed endpoint and action, without data. */
export const webhookEndpointEvents = events(at.webhookEndpointEvents, {
  changed: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    webhookEndpoints: typeof webhookEndpoints
    webhookDeliveries: typeof webhookDeliveries
  }
  interface Events {
    webhookEndpointEvents: typeof webhookEndpointEvents
  }
}
