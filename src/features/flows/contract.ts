import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { FLOW_PROBLEMS } from '#domain/flow/problems.ts'
import { FLOW_ENDS } from '#domain/flow/session.ts'
import { keysIn } from '#domain/keys.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, epochMs, id, isoTime, moment, text, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { flowChanges, flowForm } from './forms.ts'

const problem = z.object({
  code: z.enum(keysIn(FLOW_PROBLEMS)),
  level: z.enum(['error', 'warning']),
  nodeId: z.string().nullable(),
  text: z.string(),
})
const version = z.object({ version: z.number().int() })
const versionParams = z.object({ id, version: z.coerce.number<number | string>().int().positive().max(2_147_483_647) })
const branch = z.object({ nodeId: z.string(), index: z.number().int() })
/** Draft revision that the client has read; the write is refused if the draft has changed since. */
const revision = z.number().int().min(0).optional()

/** JSON document of a flow, validated by `documentOf`; unknown fields are preserved. */
const document = z.record(z.string(), z.unknown())

const end = z.enum(FLOW_ENDS).nullable()
const MOST_EVENTS = 200

/**
 * Facts of a real conversation at its start: tags, whether it was the contact's first ticket, and the variables that
 * conditions test.
 */
const known = z.strictObject({
  tagIds: z.array(id).max(100),
  isFirstTicket: z.boolean(),
  values: z.record(z.string(), z.string().max(10_000)),
})

/** Simulated conversation: starts at `at`; each event is a customer's message, or without `text` the passing of time. */
const conversation = {
  at: moment,
  events: z.array(z.strictObject({ at: moment, text: z.string().max(4096).optional() })).max(MOST_EVENTS),
  /** Responses of external systems, in order; with `nodeId` only for that node. */
  answers: z
    .array(
      z.strictObject({
        nodeId: z.string().max(200).optional(),
        status: z.number().int().min(0).max(599),
        body: z.string().max(65_536),
      }),
    )
    .max(MOST_EVENTS)
    .default([]),
  contactId: id.nullable().optional(),
  channel: text(40).nullable().optional(),
  known: known.optional(),
}
const names = z.array(z.string().max(5000)).max(1000)
const expectation = z.strictObject({ messages: names.optional(), path: names.optional(), end: end.optional() })

const caseResult = z.object({
  id: z.number().int(),
  name: z.string(),
  isPassed: z.boolean(),
  differences: z.array(
    z.object({
      field: z.enum(['messages', 'path', 'end']),
      expected: z.array(z.string()),
      actual: z.array(z.string()),
    }),
  ),
})
const results = {
  cases: z.array(caseResult),
  /** Ids of the nodes that the cases enter, and the conditions that they satisfy. */
  coverage: z.array(z.string()),
  branches: z.array(branch),
}

/** Position of an action in a simulation: its number, and the index of the event that caused it; null for the start. */
const row = z.object({ id: z.string(), title: z.string(), description: z.string().optional() })
const optionList = z.object({
  button: z.string(),
  sections: z.array(z.object({ title: z.string().optional(), rows: z.array(row).readonly() })).readonly(),
})
const order = { at: epochMs, number: z.number().int(), event: z.number().int().nullable() }

/** File that a flow sends, with a link to view it. */
const media = z.object({
  fileId: uuid,
  name: z.string(),
  type: z.string(),
  size: z.number().int(),
  url: z.string(),
})

const detail = z.object({
  id: z.number().int(),
  name: z.string(),
  isActive: z.boolean(),
  celularTeste: z.string(),
  /** The draft. */
  flow: document,
  /** Files that the draft sends. */
  files: z.array(media),
  /** Revision counter of the draft. */
  revision: z.number().int(),
  /** Published version; null if none. */
  version: z.number().int().nullable(),
  /** True if the draft differs from the published version. */
  isUnpublished: z.boolean(),
  /** Trial version that a share (in percent) of new conversations follows. */
  trial: z.object({ version: z.number().int(), share: z.number().int() }).nullable(),
  problems: z.array(problem),
  /** Results of the cases on the draft, and the nodes that they enter. */
  ...results,
  usuarios: z.array(z.object({ id: z.number().int(), name: z.string() })),
  filas: z.array(z.object({ id: z.number().int(), queue: z.string() })),
  createdAt: isoTime,
  updatedAt: isoTime,
})

const presenceState = z.enum(['viewing', 'left'])
const who = z.object({ id: z.number().int(), name: z.string() })

/** API contract of chat flows: drafts, versions, cases and simulation. */
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
    mode: 'slow',
    body: flowChanges.extend({ flow: document.optional(), revision }),
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
    mode: 'slow',
    body: z.unknown(),
    returns: z.object({ problems: z.array(problem), ...results }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
    audit: true,
  },
  addMedia: {
    summary: 'Guardar um arquivo que o chatbot envia',
    mode: 'slow',
    body: z.strictObject({}),
    returns: media,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_FILE_TOO_LARGE', 'ERR_FILE_TYPE'],
    audit: true,
  },
  publish: {
    summary: 'Publicar o rascunho: as conversas novas, ou uma parte delas, passam a segui-lo',
    body: z.strictObject({ share: z.number().int().min(1).max(99).optional(), revision }).prefault({}),
    returns: version,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_FLOW_CHANGED', 'ERR_FLOW_NOT_READY'],
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
          /** Share of new conversations, in percent. */
          share: z.number().int(),
        }),
      ),
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  version: {
    summary: 'Uma versão publicada de um chatbot, como foi publicada',
    params: versionParams,
    returns: z.object({ version: z.number().int(), createdAt: isoTime, flow: document }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_VERSION_FOUND'],
  },
  promote: {
    summary: 'Publicar para todos a versão que só uma parte das conversas novas segue',
    returns: version,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_TRIAL'],
    audit: true,
  },
  endTrial: {
    summary: 'Deixar de dar a uma parte das conversas novas outra versão',
    returns: version,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_TRIAL'],
    audit: true,
  },
  presence: {
    summary: 'Mostrar a quem edita o mesmo chatbot que se está nele, ou já não',
    mode: 'slow',
    body: z.strictObject({ state: presenceState }),
    returns: done,
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  simulate: {
    summary: 'Conversar com o rascunho: nada é enviado nem guardado',
    mode: 'read',
    body: z.strictObject(conversation),
    returns: z.object({
      messages: z.array(
        z.object({
          ...{ ...order, body: z.string(), buttons: z.array(z.string()).readonly() },
          /** Set if the options are a list. */
          list: optionList.optional(),
        }),
      ),
      path: z.array(z.string()),
      end,
      /** Decisions in this flow, or (`chatFlowId`) in one that it started: the satisfied condition, null if none was tested. */
      steps: z.array(
        z.object({
          ...order,
          chatFlowId: z.number().int(),
          nodeId: z.string().nullable(),
          why: z.string(),
          isEntry: z.boolean(),
          branch: branch.nullable(),
        }),
      ),
      variables: z.record(z.string(), z.string()),
      contactName: hidden(z.string(), maskName),
      /** Other variables that the flow uses, standard ones and the company's own, without empty ones. */
      known: z.record(z.string(), z.string()),
      waiting: z.enum(['answer', 'delay', 'call', 'flow']).nullable(),
      /** External call whose response the simulator must choose next. */
      call: z
        .object({
          ...{ nodeId: z.string(), method: z.string(), url: z.string(), saveAs: z.string() },
          /** True if the call goes to an assistant instead of a system. */
          isAssistant: z.boolean(),
        })
        .nullable(),
      /** Other effects: notes, tags, timers, the end (`to`, `userId`). */
      effects: z.array(
        z.object({
          ...order,
          type: z.string(),
          id: z.number().int().nullable(),
          to: z.enum(['queue', 'user', 'close', 'channel']).nullable(),
          userId: z.number().int().nullable(),
          text: z.string(),
        }),
      ),
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_CONTACT_FOUND'],
  },
  listCases: {
    summary: 'Os casos de um chatbot, e como cada um vai no rascunho',
    returns: z.object({
      cases: z.array(
        caseResult.extend({
          at: epochMs,
          events: z.array(z.object({ at: epochMs, text: z.string().optional() })),
          answers: z.array(z.object({ nodeId: z.string().optional(), status: z.number(), body: z.string() })),
          contactId: z.number().int().nullable(),
          channel: z.string().nullable(),
          known: known.optional(),
          expect: expectation,
        }),
      ),
      coverage: results.coverage,
      branches: results.branches,
    }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  createCase: {
    summary: 'Guardar uma conversa como caso, com o que se espera dela',
    body: z.strictObject({ name: text(100, 1), ...conversation, expect: expectation }),
    returns: z.object({ id: z.number().int() }),
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_CONTACT_FOUND', 'ERR_MAX_FLOW_CASES'],
    audit: true,
  },
  caseOfTicket: {
    summary: 'Fazer um caso do que aconteceu num atendimento',
    body: z.strictObject({ name: text(100, 1), ticketId: id }),
    returns: z.object({ id: z.number().int() }),
    errors: [
      'ERR_NO_CHAT_FLOW_FOUND',
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_FLOW_SESSION_FOUND',
      'ERR_NO_FLOW_VERSION_FOUND',
      'ERR_MAX_FLOW_CASES',
    ],
    audit: true,
  },
  removeCase: {
    summary: 'Excluir um caso',
    params: z.object({ id, caseId: id }),
    returns: done,
    errors: ['ERR_NO_FLOW_CASE_FOUND'],
    audit: true,
  },
  runCases: {
    summary: 'Rodar todos os casos no rascunho',
    mode: 'read',
    returns: z.object(results),
    errors: ['ERR_NO_CHAT_FLOW_FOUND'],
  },
  restore: {
    summary: 'Publicar de novo uma versão antiga, como versão nova',
    params: versionParams,
    body: z.strictObject({ revision }).prefault({}),
    returns: version,
    errors: ['ERR_NO_CHAT_FLOW_FOUND', 'ERR_NO_FLOW_VERSION_FOUND', 'ERR_FLOW_CHANGED', 'ERR_FLOW_NOT_READY'],
    audit: true,
  },
})

/** Events for editors of chat flows. */
export const flowEvents = events(at.flowEvents, {
  presence: z.object({
    chatFlowId: z.number().int(),
    state: presenceState,
    who,
  }),
  /** A flow was created, removed or changed; null: no published version, or no trial version. */
  changed: z.object({
    chatFlowId: z.number().int(),
    revision: z.number().int(),
    version: z.number().int().nullable(),
    trial: z.number().int().nullable(),
    who,
  }),
})

/** API contract of a flow's actions in a ticket. */
export const ticketFlow = contract(at.ticketFlow, {
  get: {
    summary: 'O que o chatbot fez neste atendimento, e por quê; com uma mensagem dele, na conversa de que ela é parte',
    query: z.object({ messageId: uuid.optional() }),
    returns: z.object({
      chatFlowId: z.number().int().nullable(),
      version: z.number().int().nullable(),
      /** Name of the flow, and id of the one that started the conversation. */
      name: z.string().nullable(),
      startedWith: z.number().int().nullable(),
      steps: z.array(
        z.object({
          at: epochMs,
          nodeId: z.string().nullable(),
          /** Name of the step in its version. */
          name: z.string().nullable(),
          why: z.string(),
          /** True if the message in question resulted from this step. */
          isReason: z.boolean(),
        }),
      ),
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    flows: typeof flows
    ticketFlow: typeof ticketFlow
  }
  interface Events {
    flowEvents: typeof flowEvents
  }
}
