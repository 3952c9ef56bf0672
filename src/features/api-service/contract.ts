import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, flag, isoTime, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { apiKeyChanges, apiKeyForm } from './forms.ts'

const params = z.object({ id: uuid })

const key = z.object({
  id: uuid,
  name: z.string(),
  sessionId: z.number().int(),
  /** Name of the connection that the key sends by. */
  session: z.string(),
  userId: z.number().int(),
  /** Name of the user whose permissions the key has. */
  user: z.string(),
  isActive: z.boolean(),
  scopes: z.array(z.string()),
  /** Last characters of the key's token. */
  hint: z.string(),
  /** Time until which the previous token is also valid; null: no longer. */
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

/** Key, as API responses return it. */
export type ApiKey = z.output<typeof key>

const withToken = z.object({ id: uuid, token: z.string() })

/** API contract of API keys. */
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

/** Events for those who manage API keys: the changed key and action, without data. */
export const apiKeyEvents = events(at.apiKeyEvents, {
  changed: z.object({ id: uuid, action: z.enum(['create', 'update', 'renew', 'delete']) }),
})

const anything = hidden(z.unknown(), () => null)

const approval = z.object({
  id: uuid,
  /** Requesting key, and the user as whom it acts. */
  key: z.string(),
  owner: z.string(),
  operation: z.string(),
  /** Description of the operation, as a sentence. */
  summary: z.string(),
  /** Name that the program gives itself, and the prompt it reports. */
  client: z.string(),
  prompt: z.string(),
  input: hidden(z.record(z.string(), z.unknown()), () => ({})),
  /** Record before and after the change, from a dry run; null without one. */
  before: anything,
  after: anything,
  status: z.enum(['waiting', 'running', 'done', 'failed', 'refused', 'expired', 'uncertain']),
  /** Whether the user may decide the call: those who may run the operation themselves. */
  mayDecide: z.boolean(),
  /** Reason for the failure; empty otherwise. */
  error: z.string(),
  decider: z.string().nullable(),
  decidedAt: isoTime.nullable(),
  createdAt: isoTime,
  expiresAt: isoTime,
})

/** Call of a tool that waits for a person, as API responses return it. */
export type McpApproval = z.output<typeof approval>

const decisionErrors = ['ERR_NO_APPROVAL_FOUND', 'ERR_APPROVAL_DECIDED', 'ERR_NO_PERMISSION'] as const

/** Calls of tools (MCP) that wait for a person. */
export const mcpApprovals = contract(at.mcpApprovals, {
  list: {
    summary: 'O que programas pediram e espera aprovação, do mais novo ao mais antigo',
    query: pageQuery.extend({ waiting: flag }),
    returns: z.object({ items: z.array(approval), waiting: z.number().int(), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  approve: {
    summary: 'Aprovar o que um programa pediu; é feito agora, como a pessoa da chave',
    mode: 'slow',
    params,
    returns: approval,
    errors: decisionErrors,
    audit: true,
  },
  refuse: {
    summary: 'Recusar o que um programa pediu',
    params,
    returns: approval,
    errors: decisionErrors,
    audit: true,
  },
})

/** Event for those who manage API keys: the list of pending approvals has changed. */
export const mcpEvents = events(at.mcpEvents, { approvals: z.object({ id: uuid }) })

declare module '#kit/contract.ts' {
  interface Contracts {
    apiKeys: typeof apiKeys
    mcpApprovals: typeof mcpApprovals
  }
  interface Events {
    apiKeyEvents: typeof apiKeyEvents
    mcpEvents: typeof mcpEvents
  }
}
