import { z } from 'zod'
import { MESSAGE_TYPES } from '#domain/messages/types.ts'
import { contract } from '#kit/contract.ts'
import { isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'

/** Kinds of set-aside events: messages, receipts, acts, group events; or jobs. */
export const EVENT_KINDS = [
  ...([
    'receipt',
    'edit',
    'revoke',
    'reaction',
    'participants',
    'profile',
    'picture',
    'addresses',
    'watermark',
    'job',
    // Kinds that this release does not know.
    'other',
  ] as const),
  ...MESSAGE_TYPES,
] as const

/** Cause of the failure: invalid data, a limit, or a bug of the product. */
const FAULTS = ['data', 'limit', 'own'] as const

const setAsideEvent = z.object({
  id: uuid,
  kind: z.enum(EVENT_KINDS),
  fault: z.enum(FAULTS),
  /** SQLSTATE, or the error's name. */
  code: z.string(),
  /** Error message; may quote data and is hidden outside of the company. */
  detail: hidden(z.string().nullable(), () => null),
  attempts: z.number().int(),
  /** Name of the job; null: an event of a connection. */
  task: z.string().nullable(),
  connection: z.object({ id: z.number().int(), name: z.string(), type: z.string() }).nullable(),
  receivedAt: isoTime,
  setAsideAt: isoTime,
  /** Company, in the installation's list. */
  tenant: z.object({ id: z.number().int(), name: z.string() }).nullable(),
})

/** Event that was set aside, as its list returns it. */
export type SetAsideEvent = z.output<typeof setAsideEvent>

const filter = pageQuery.extend({ fault: z.enum(FAULTS).optional() })
const page = z.object({ events: z.array(setAsideEvent), ...pageAnswer })
const retryBody = z.strictObject({
  /** Ids; omitted: all events, up to 5,000, oldest first. */
  ids: z.array(uuid).min(1, 'Escolha ao menos um evento.').max(500, 'Use no máximo 500 eventos de uma vez.').optional(),
})
const retried = z.object({ retried: z.number().int(), left: z.number().int() })

/** API contract of set-aside events, which could not be processed. */
export const journal = contract(at.journal, {
  list: {
    summary: 'Mensagens com erro da empresa, do mais novo ao mais antigo',
    query: filter,
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  retry: {
    summary: 'Mensagens com erro: tentar de novo',
    body: retryBody,
    returns: retried,
    audit: true,
  },
  platformList: {
    summary: 'Mensagens com erro de todas as empresas, do mais novo ao mais antigo',
    mode: 'slow',
    query: filter,
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  platformRetry: {
    summary: 'Mensagens com erro de todas as empresas: tentar de novo',
    mode: 'slow',
    body: retryBody,
    returns: retried,
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    journal: typeof journal
  }
}
