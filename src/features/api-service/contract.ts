import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { apiKeyChanges, apiKeyForm } from './forms.ts'

const params = z.object({ id: uuid })

const key = z.object({
  id: uuid,
  name: z.string(),
  sessionId: z.number().int(),
  /** The name of the connection by which it sends. */
  session: z.string(),
  userId: z.number().int(),
  /** Whose permissions it has. */
  user: z.string(),
  isActive: z.boolean(),
  scopes: z.array(z.string()),
  /** The end of its token. */
  hint: z.string(),
  /** Until when the token before holds as well; null: no longer. */
  oldUntil: isoTime.nullable(),
  perMinute: z.number().int(),
  networks: z.array(z.string()),
  takesQuery: z.boolean(),
  urlServiceStatus: z.string(),
  urlMessageStatus: z.string(),
  hasAuthToken: z.boolean(),
  lastUsedAt: isoTime.nullable(),
  lastAddress: z.string(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** A key, as a browser reads it. */
export type ApiKey = z.output<typeof key>

const withToken = z.object({ id: uuid, token: z.string() })

/** Keys of the API for programs. */
export const apiKeys = contract(at.apiKeys, {
  list: {
    summary: 'Chaves da API, da mais nova à mais antiga',
    query: pageQuery,
    returns: z.object({ items: z.array(key), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma chave da API', params, returns: key, errors: ['ERR_NO_API_KEY_FOUND'] },
  create: {
    summary: 'Nova chave da API; o token é mostrado só aqui',
    mode: 'slow',
    body: apiKeyForm,
    returns: withToken,
    errors: ['ERR_MAX_API_KEYS', 'ERR_NO_WAPP_FOUND', 'ERR_ADDRESS_REFUSED'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma chave da API; o que não vem no pedido fica como está',
    mode: 'slow',
    params,
    body: apiKeyChanges,
    returns: key,
    errors: ['ERR_NO_API_KEY_FOUND', 'ERR_ADDRESS_REFUSED'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma chave da API; o seu token deixa de valer',
    mode: 'slow',
    params,
    returns: done,
    errors: ['ERR_NO_API_KEY_FOUND'],
    audit: true,
  },
  renew: {
    summary: 'Novo token; o anterior vale por mais 24 horas',
    mode: 'slow',
    params,
    returns: withToken,
    errors: ['ERR_NO_API_KEY_FOUND'],
    audit: true,
  },
})

/** Formatted to those who administer keys: which one changed, without data. */
export const apiKeyEvents = events(at.apiKeyEvents, {
  changed: z.object({ id: uuid, action: z.enum(['create', 'update', 'renew', 'delete']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    apiKeys: typeof apiKeys
  }
  interface Events {
    apiKeyEvents: typeof apiKeyEvents
  }
}
