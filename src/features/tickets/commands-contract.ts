import { z } from 'zod'
import { ticketDetail } from '#features/ledger/ticket-rows.ts'
import { bulkAnswer } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { id, text } from '#kit/fields.ts'
import * as at from './commands-addresses.ts'

const whose = z.object({ ticketId: id.optional(), whatsappId: id.optional() })
const cleared = z.object({ cleared: z.number().int() })

/**
 * API contract of ticket commands beside the moves of `PUT /tickets/{id}`: on one ticket, on all of a connection, on all of
 * the company.
 */
export const ticketCommands = contract(at.ticketCommands, {
  toChatFlow: {
    summary: 'Passar o atendimento para um chatbot, desde o primeiro passo',
    body: z.strictObject({ chatFlowId: id }),
    returns: ticketDetail,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_CHAT_FLOW_FOUND', 'ERR_TICKET_IS_GROUP', 'ERR_TICKET_TRANSITION'],
  },
  changeChannel: {
    summary: 'Continuar a conversa por outro canal; responsável, fila e histórico ficam',
    body: z.strictObject({ whatsappId: id, channel: z.string().max(40).optional() }),
    returns: ticketDetail,
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_ADDRESS',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_TICKET_TRANSITION',
    ],
  },
  moveChannel: {
    summary: 'Mudar os atendimentos de um canal para outro, como ação em lote',
    body: z.strictObject({
      whatsappId: id,
      newWhatsappId: id,
      processAll: z.boolean().optional(),
      limit: z.number().int().min(1).max(500, 'No máximo 500 de cada vez.').default(100),
      offset: z.number().int().min(0).max(1_000_000).default(0),
      channel: z.string().max(40).optional(),
      newChannel: z.string().max(40).optional(),
      tenantId: id.optional(),
      /** Only counts the tickets and those that would be refused. */
      dryRun: z.boolean().optional(),
    }),
    audit: true,
    returns: bulkAnswer,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION'],
  },
  pause: {
    summary: 'Pausar um atendimento aberto',
    body: z.strictObject({ reason: text(200).optional() }).prefault({}),
    returns: ticketDetail,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_TICKET_PAUSED', 'ERR_TICKET_TRANSITION', 'ERR_PAUSE_DISABLED'],
  },
  resume: {
    summary: 'Retomar um atendimento pausado',
    returns: ticketDetail,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_TICKET_NOT_PAUSED'],
  },
  notify: {
    summary: 'Avisar de novo quem atende, no máximo uma vez a cada 10 segundos',
    body: z.strictObject({ type: z.literal('notification:new', { error: 'Este aviso não existe.' }) }),
    returns: z.object({ notified: z.number().int() }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_TICKET_TRANSITION'],
  },
  clear: {
    summary: 'Esvaziar o que os assistentes lembram de um atendimento, ou dos de um canal',
    query: whose,
    returns: cleared,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION'],
  },
  clearByGet: {
    summary: 'O mesmo, para chamadas antigas',
    mode: 'slow',
    query: whose,
    returns: cleared,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION'],
  },
  readAll: {
    summary: 'Marcar como lidas as mensagens da empresa toda, como ação em lote',
    audit: true,
    returns: bulkAnswer,
  },
  readAllByGet: {
    summary: 'O mesmo, para chamadas antigas',
    mode: 'slow',
    returns: bulkAnswer,
  },
  readOwn: {
    summary: 'Marcar como lidas as mensagens dos próprios atendimentos',
    returns: z.object({ message: z.string(), count: z.number().int() }),
  },
  mendDates: {
    summary: 'Conferir a última mensagem e a espera de cada atendimento com as mensagens guardadas',
    audit: true,
    returns: z.object({ message: z.string() }),
  },
  chatFlows: {
    summary: 'Os chatbots ligados; para quem os edita, todos',
    returns: z.object({
      chatFlow: z.array(
        z.object({
          id: z.number().int(),
          name: z.string(),
          isActive: z.boolean(),
          /** Only for users who may change flows; `version` is null while no version is published. */
          celularTeste: z.string().optional(),
          version: z.number().int().nullable().optional(),
          /** True if the draft differs from the published version. */
          isUnpublished: z.boolean().optional(),
          /** Triggers of the flow: connections whose new conversations start it, and other flows that do. */
          connections: z.array(z.object({ id: z.number().int(), name: z.string() })).optional(),
          flows: z.array(z.object({ id: z.number().int(), name: z.string() })).optional(),
          /**
           * Further triggers: default flow of connections without one, keyword, and entry or closing of conversations that
           * no other flow handles.
           */
          isDefault: z.boolean().optional(),
          keyword: z.string().optional(),
          startsOn: z.enum(['entry', 'closing']).nullable().optional(),
        }),
      ),
    }),
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    ticketCommands: typeof ticketCommands
  }
}
