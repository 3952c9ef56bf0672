import { z } from 'zod'
import { maskValue } from '#domain/access/restricted.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { epochMs, id, isoTime, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { historyForm } from './forms.ts'

/** Schema of an import's progress: conversations and messages of the channel, and the time of the last imported message. */
const historyImport = z.object({
  id: uuid,
  whatsappId: z.number().int(),
  /** Address of the single conversation to import; null: all conversations of the connection. */
  conversation: hidden(z.string(), maskValue).nullable(),
  limit: z.number().int(),
  /** Period to import; null: open end. */
  since: epochMs.nullable(),
  until: epochMs.nullable(),
  groups: z.boolean(),
  status: z.enum(['running', 'done', 'canceled', 'failed']),
  errorCode: z.string().nullable(),
  /** Number of conversations on the channel (null: unknown yet), and of finished ones. */
  chats: z.number().int().nullable(),
  chatsDone: z.number().int(),
  messagesRead: z.number().int(),
  /** Messages that were not stored yet. */
  messagesNew: z.number().int(),
  reachedAt: epochMs.nullable(),
  userName: z.string().nullable(),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
})

const refusals = [
  'ERR_NO_WAPP_FOUND',
  'ERR_NO_HISTORY',
  'ERR_WAPP_NOT_INITIALIZED',
  'ERR_IMPORT_RUNNING',
  'ERR_NO_PERMISSION',
] as const

/** API contract of history imports from channels (specification §7, product facts 3.8). */
export const history = contract(at.history, {
  importAll: {
    summary: 'Importar conversas: as últimas mensagens de cada conversa que o canal guarda; de novo, só o que falta',
    body: historyForm,
    returns: historyImport,
    errors: [...refusals],
    audit: true,
  },
  importOne: {
    summary: 'Sincronizar o histórico de uma conversa: de um contato, ou de um número como o canal o chama',
    body: historyForm.extend({
      contactId: z.union([id, z.string().regex(/^[\d-]{5,40}@[cg]\.us$/, 'Informe o contato ou <número>@c.us.')]),
    }),
    returns: historyImport,
    errors: [...refusals, 'ERR_NO_CONTACT_FOUND', 'ERR_NO_ADDRESS'],
    audit: true,
  },
  list: {
    summary: 'As últimas importações, de um canal ou de todos',
    query: z.object({ whatsappId: id.optional() }),
    returns: z.object({ imports: z.array(historyImport) }),
  },
  cancel: {
    summary: 'Parar uma importação; o que já veio fica',
    params: z.object({ id: uuid }),
    returns: historyImport,
    errors: ['ERR_NOT_FOUND'],
    audit: true,
  },
  restoreTimes: {
    summary: 'Devolver às mensagens importadas o horário que o canal contou',
    body: z.strictObject({ tenantId: id.optional() }).prefault({}),
    returns: z.object({ message: z.string() }),
    errors: ['ERR_NO_PERMISSION'],
    audit: true,
  },
})

/** Events about imports (product facts 3.9): their progress, and that conversations must be reloaded. */
export const historyEvents = events(at.historyEvents, {
  progress: z.object({
    action: z.literal('update'),
    status: z.object({ all: z.number().int(), this: z.number().int(), date: epochMs.nullable() }),
    import: historyImport,
  }),
  refresh: z.object({ action: z.literal('refresh') }),
})

export type HistoryImport = z.output<typeof historyImport>

declare module '#kit/contract.ts' {
  interface Contracts {
    history: typeof history
  }
  interface Events {
    historyEvents: typeof historyEvents
  }
}
