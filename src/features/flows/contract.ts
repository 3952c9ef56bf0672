import { z } from 'zod'
import { FLOW_PROBLEMS } from '#domain/flow/check.ts'
import { contract } from '#kit/contract.ts'
import { done, epochMs, id, isoTime, text } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { flowChanges, flowForm } from './forms.ts'

const problem = z.object({
  code: z.enum(Object.keys(FLOW_PROBLEMS) as [keyof typeof FLOW_PROBLEMS]),
  level: z.enum(['error', 'warning']),
  nodeId: z.string().nullable(),
  text: z.string(),
})
const version = z.object({ version: z.number().int() })

/** The flow's JSON, checked by `documentOf`: whatever else it has survives. */
const document = z.record(z.string(), z.unknown())

const detail = z.object({
  id: z.number().int(),
  name: z.string(),
  isActive: z.boolean(),
  celularTeste: z.string(),
  /** What is being worked on. */
  flow: document,
  /** Counts the changes of the draft. */
  revision: z.number().int(),
  /** The published one; null: none yet. */
  version: z.number().int().nullable(),
  problems: z.array(problem),
  usuarios: z.array(z.object({ id: z.number().int(), name: z.string() })),
  filas: z.array(z.object({ id: z.number().int(), queue: z.string() })),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Chat flows: drafts, and what is published of them. */
export const flows = contract(at.flows, {
  create: {
    summary: 'Novo chatbot, com uma etapa de boas-vindas',
    body: flowForm,
    returns: z.object({ id: z.number().int() }),
    errors: ['ERR_VALIDATION'],
    audit: true,
  },
  get: {
    summary: 'Um chatbot: o rascunho, o que há de errado nele, e quem e quais filas pode usar',
    returns: detail,
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  update: {
    summary: 'Alterar um chatbot; o rascunho só sobre a revisão que se leu',
    body: flowChanges.extend({ flow: document.optional(), revision: z.number().int().min(0).optional() }),
    returns: detail,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_FLOW_CHANGED'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um chatbot; o que ele já atende continua até o fim',
    returns: done,
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
    audit: true,
  },
  duplicate: {
    summary: 'Copiar um chatbot, desligado',
    body: z.strictObject({ id, name: text(100).optional() }),
    returns: z.object({ id: z.number().int() }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
    audit: true,
  },
  import: {
    summary: 'Trocar o rascunho de um chatbot pelo fluxo de um arquivo',
    body: z.unknown(),
    returns: z.object({ problems: z.array(problem) }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
    audit: true,
  },
  publish: {
    summary: 'Publicar o rascunho: as conversas novas passam a segui-lo',
    returns: version,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_FLOW_NOT_READY'],
    audit: true,
  },
  versions: {
    summary: 'As versões publicadas de um chatbot, a mais nova primeiro',
    returns: z.object({
      versions: z.array(
        z.object({
          version: z.number().int(),
          createdAt: isoTime,
          userName: z.string().nullable(),
          isPublished: z.boolean(),
        }),
      ),
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  restore: {
    summary: 'Publicar de novo uma versão antiga, como versão nova',
    params: z.object({ id, version: id }),
    returns: version,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_VERSION_FOUND', 'ERR_FLOW_NOT_READY'],
    audit: true,
  },
})

/** What a flow did in a ticket. */
export const ticketFlow = contract(at.ticketFlow, {
  get: {
    summary: 'O que o chatbot fez neste atendimento, e por quê',
    returns: z.object({
      chatFlowId: z.number().int().nullable(),
      version: z.number().int().nullable(),
      steps: z.array(z.object({ at: epochMs, nodeId: z.string().nullable(), why: z.string() })),
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    flows: typeof flows
    ticketFlow: typeof ticketFlow
  }
}
