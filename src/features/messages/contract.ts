import { z } from 'zod'
import { MESSAGE_TYPES } from '#domain/messages/types.ts'
import { fileErrors } from '#features/ledger/errors.ts'
import {
  contactCard,
  geoLocation,
  interactiveMessage,
  mailWish,
  pollMessage,
  templateWish,
} from '#features/ledger/forms.ts'
import { messageRow } from '#features/ledger/message-rows.ts'
import { pinnedMessage, readingPosition, ticketDelta, ticketDetail, ticketRow } from '#features/ledger/ticket-rows.ts'
import { contract } from '#kit/contract.ts'
import { duration, flag, formFlag, id, isoTime, many, moment, pageAnswer, pageQuery, text, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { albumFields, wishFields } from './file-fields.ts'
import { idFront, passingOn, recipients } from './reach-fields.ts'
import { scheduleFields, scheduleMoment } from './schedule-fields.ts'

const pinnedAnswer = z.object({ pinned: z.array(pinnedMessage) })
/** Response of a send. */
export const sent = z.object({ messages: z.array(messageRow), ticket: ticketDelta })
const presenceBody = z.looseObject({ state: z.enum(['composing', 'recording', 'paused']) })

/** Mentions of a note: each user, and each team member who sees the ticket, is notified. */
const mentionFields = { mentionedUsers: many(id), mentionedTeams: many(id) }

/** Client id of an edit, revocation or reaction; a repeated id has no further effect. */
const actId = uuid.optional()
/** Errors of sending to a ticket. */
export const sendErrors = [
  'ERR_NO_TICKET_FOUND',
  'ERR_MESSAGE_TICKET_CLOSED',
  'ERR_MESSAGE_TICKET_PENDING',
  'ERR_CHANNEL_CANNOT',
  'ERR_WINDOW_CLOSED',
  'ERR_IDEMPOTENCY_MISMATCH',
] as const

/** API contract of messages in tickets. */
export const messages = contract(at.messages, {
  list: {
    summary: 'Mensagens de um atendimento; a página mais nova primeiro, cada página em ordem de tempo',
    sampled: true,
    query: pageQuery.extend({
      /** Epoch ms; reads the page around that moment (decision A21). */
      timestamp: moment.optional(),
      /** 'newer' reads from the cursor towards now; the default is 'older'. */
      direction: z.enum(['older', 'newer']).optional(),
    }),
    returns: z.object({
      messages: z.array(messageRow),
      messagesOffLine: z.array(messageRow),
      ...pageAnswer,
      newerCursor: z.string().nullable(),
      /** The contact's other tickets with messages in this page (settings `messageListingType`, `groupTickets`). */
      tickets: z.array(ticketRow),
      /**
       * Reading position of the caller; for a first-time reader the position before the first unread message. Null: never
       * read, nothing unread.
       */
      readUpTo: readingPosition.nullable(),
    }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  send: {
    summary:
      'Enviar texto, arquivos ou um modelo (`template`), ou escrever uma nota interna; repetir o mesmo idFront devolve a mesma mensagem',
    mode: 'slow',
    body: z.strictObject({
      idFront: z.string().min(8).max(80),
      body: z.string().max(65_536).default(''),
      isNote: formFlag,
      quotedMsgId: uuid.nullish(),
      durationMs: duration.optional(),
      ...wishFields,
      ...albumFields,
      ...scheduleFields,
      ...mentionFields,
      template: templateWish.optional(),
      /** Subject and recipients of a mail; absent fields follow the last mail. */
      mail: mailWish.optional(),
      /** Sends as a human agent: allowed after the window has closed where the channel permits it. */
      isHumanAgent: formFlag.optional(),
    }),
    returns: sent,
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_CHANNEL_CANNOT',
      'ERR_COMMENT_ANSWERED',
      'ERR_COMMENT_WORDS',
      'ERR_MENTION_HIDDEN',
      'ERR_MESSAGE_EMPTY',
      'ERR_MESSAGE_TICKET_CLOSED',
      'ERR_MESSAGE_TICKET_PENDING',
      'ERR_MESSAGE_TOO_LONG',
      'ERR_QUOTE_NOT_CARRIED',
      'ERR_WINDOW_CLOSED',
      'ERR_NO_TEMPLATE_FOUND',
      'ERR_TEMPLATE_REFUSED',
      ...fileErrors,
    ],
  },
  transfer: {
    summary: 'Transferir com uma nota interna para quem recebe; repetir o mesmo idFront não repete a nota',
    body: z.strictObject({
      queueId: id.nullable(),
      userId: id.nullable(),
      note: z.string().trim().min(1).max(65_536),
      idFront: z.string().min(8).max(80),
    }),
    returns: ticketDetail,
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_TICKET_TRANSITION',
      'ERR_NO_PERMISSION',
      'ERR_IDEMPOTENCY_MISMATCH',
    ],
  },
  retry: {
    summary: 'Enviar de novo uma mensagem que falhou ou ficou incerta',
    params: z.object({ id: uuid }),
    returns: messageRow,
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_SEND_STATE', 'ERR_MESSAGE_TOO_LONG'],
  },
  cancel: {
    summary: 'Desistir de uma mensagem que ainda não saiu, ou dar por não enviada uma incerta',
    params: z.object({ id: uuid }),
    returns: messageRow,
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_SEND_STATE'],
  },
  trail: {
    summary: 'O caminho da mensagem, passo a passo',
    params: z.object({ id: uuid }),
    query: pageQuery.pick({ cursor: true }),
    returns: z.object({
      steps: z.array(
        z.object({ step: z.string(), label: z.string(), at: isoTime, detail: z.record(z.string(), z.unknown()) }),
      ),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
    errors: ['ERR_FETCH_WAPP_MSG'],
  },
  formatted: {
    summary: 'O e-mail como foi formatado: um link para mostrar num quadro, por alguns minutos',
    params: z.object({ id: uuid }),
    returns: z.object({ url: z.string() }),
    errors: ['ERR_FETCH_WAPP_MSG'],
  },
  search: {
    summary:
      'Buscar nas mensagens e nos nomes dos arquivos, sem acentos: em um atendimento, ou em todos os visíveis (uma palavra de 3 letras)',
    query: pageQuery.extend({
      ticketId: id.optional(),
      /** Period in epoch ms: `since` inclusive, `until` exclusive. */
      since: moment.optional(),
      until: moment.optional(),
      /** `fromMe`: messages of the team or of contacts; `userId`: those of one colleague. */
      fromMe: flag,
      userId: id.optional(),
      mediaType: many(z.enum(MESSAGE_TYPES)),
      queuesIds: many(id),
    }),
    returns: z.object({
      tickets: z.array(z.object({ ticket: ticketRow, messages: z.array(messageRow) })),
      ...pageAnswer,
      /** How far back in time this page searched, where older results may remain; else null. */
      searchedTo: isoTime.nullable(),
    }),
  },
  ofContact: {
    summary:
      'Mensagens de todos os atendimentos de um contato que se pode ver; a página mais nova primeiro, em ordem de tempo',
    params: z.object({ contactId: id }),
    query: pageQuery.omit({ searchParam: true }),
    returns: z.object({ messages: z.array(messageRow), tickets: z.array(ticketRow), ...pageAnswer }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  export: {
    summary: 'Extrair tudo o que foi dito em um atendimento; o arquivo é enviado enquanto é feito',
    mode: 'slow',
    query: z.object({ format: z.enum(['json', 'pdf', 'zip']).default('json') }),
    returns: z.unknown(),
    errors: ['ERR_NO_TICKET_FOUND'],
    audit: true,
  },
  resolvePending: {
    summary: 'Reenviar mensagens paradas: as que esperam sem trabalho voltam à fila; incertas ficam para uma pessoa',
    returns: z.object({ requeued: z.number().int(), uncertain: z.number().int() }),
    audit: true,
  },
  typing: {
    summary: 'Mostrar que o atendente está digitando',
    mode: 'slow',
    body: presenceBody,
    returns: z.object({ message: z.string() }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  recording: {
    summary: 'Mostrar que o atendente está gravando',
    mode: 'slow',
    body: presenceBody,
    returns: z.object({ message: z.string() }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  paused: {
    summary: 'Parar de mostrar',
    mode: 'slow',
    body: presenceBody,
    returns: z.object({ message: z.string() }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  changes: {
    summary:
      'O que mudou depois de um número do diário, como o socket teria contado; `resync` pede que se leia tudo de novo',
    query: z.object({ after: z.coerce.number<number | string>().int().min(0).optional() }),
    returns: z.object({
      changes: z.array(
        z.object({ channel: z.string(), type: z.string(), payload: z.unknown(), seq: z.number().int() }),
      ),
      lastSeq: z.number().int(),
      hasMore: z.boolean(),
      resync: z.boolean(),
    }),
  },
  edit: {
    summary: 'Editar o texto de uma mensagem da equipe, também no aparelho do contato',
    body: z.strictObject({ messageId: uuid, body: z.string().trim().min(1).max(65_536), actId }),
    returns: messageRow,
    errors: [
      'ERR_FETCH_WAPP_MSG',
      'ERR_CHANNEL_CANNOT',
      'ERR_SEND_STATE',
      'ERR_EDIT_TOO_LATE',
      'ERR_EDIT_NOTHING',
      'ERR_MESSAGE_TOO_LONG',
    ],
  },
  change: {
    summary:
      'Mudar o texto, o horário ou a repetição de uma mensagem agendada (null: enviar agora), ou o texto e as menções de uma nota',
    params: z.object({ id: uuid }),
    body: z
      .strictObject({
        body: z.string().max(65_536).optional(),
        scheduleDate: scheduleMoment.nullable().optional(),
        repeat: scheduleFields.repeat.unwrap().nullable().optional(),
        cancelOnReply: z.boolean().optional(),
        ...mentionFields,
      })
      .refine((change) => Object.keys(change).length > 0, 'Informe o texto ou o horário.'),
    returns: messageRow,
    errors: [
      'ERR_FETCH_WAPP_MSG',
      'ERR_SEND_STATE',
      'ERR_NO_PERMISSION',
      'ERR_MESSAGE_EMPTY',
      'ERR_MESSAGE_TOO_LONG',
      'ERR_MENTION_HIDDEN',
    ],
  },
  remove: {
    summary: 'Apagar uma mensagem: a que espera não sai, a que saiu é apagada também no aparelho do contato',
    body: z.strictObject({ id: uuid, messageId: z.string().max(300).nullish(), actId }),
    returns: messageRow,
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_CHANNEL_CANNOT', 'ERR_DELETE_WAPP_MSG', 'ERR_NO_PERMISSION'],
  },
  react: {
    summary: 'Reagir a uma mensagem com um emoji; vazio tira a reação',
    body: z.strictObject({ messageId: uuid, ticketId: id, reaction: z.string().max(40), actId }),
    returns: messageRow,
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_CHANNEL_CANNOT', 'ERR_SEND_STATE', 'ERR_WINDOW_CLOSED'],
  },
  card: {
    summary: 'Enviar um cartão de contato',
    body: z.strictObject({ contact: contactCard, idFront }),
    returns: sent,
    errors: sendErrors,
  },
  location: {
    summary: 'Enviar uma localização',
    body: z.strictObject({ location: geoLocation, idFront }),
    returns: sent,
    errors: sendErrors,
  },
  buttons: {
    summary:
      'Enviar uma mensagem que se responde tocando: botões de resposta, lista, link, pedido de localização ou formulário',
    body: interactiveMessage,
    returns: sent,
    errors: [...sendErrors, 'ERR_MESSAGE_TOO_LONG', 'ERR_INTERACTIVE_REFUSED'],
  },
  poll: {
    summary: 'Enviar uma enquete',
    body: pollMessage.extend({ idFront }),
    returns: sent,
    errors: sendErrors,
  },
  forward: {
    summary:
      'Encaminhar mensagens a um contato ou a vários, na ordem da conversa; vão para o atendimento aberto de cada um, no canal em que ele está, ou começam um',
    body: passingOn,
    returns: z.object({ messages: z.array(messageRow), ticket: ticketDelta.nullable(), recipients }),
    errors: [
      'ERR_FETCH_WAPP_MSG',
      'ERR_NOT_FORWARDABLE',
      'ERR_WINDOW_CLOSED',
      'ERR_MEDIA_NOT_HERE',
      'ERR_CHANNEL_CANNOT',
      'ERR_MESSAGE_TOO_LONG',
      ...fileErrors,
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_WAPP_CHECK_CONTACT',
      'ERR_NO_PERMISSION',
    ],
  },
  direct: {
    summary:
      'Enviar a um número, sem escolher antes contato nem atendimento; com o envio rápido ligado, à frente da fila',
    mode: 'slow',
    body: z.strictObject({
      whatsappId: id,
      number: z.string({ error: 'Informe o número.' }).trim().min(1, 'Informe o número.').max(40),
      message: z.string().max(65_536).default(''),
      idFront,
      ...wishFields,
    }),
    returns: z.object({ message: messageRow, ticket: ticketDelta }),
    errors: [
      'ERR_NO_WAPP_FOUND',
      'ERR_WAPP_CHECK_CONTACT',
      'ERR_NO_PERMISSION',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_MESSAGE_TICKET_PENDING',
      'ERR_MESSAGE_EMPTY',
      'ERR_MESSAGE_TOO_LONG',
      ...fileErrors,
      'ERR_IDEMPOTENCY_MISMATCH',
    ],
  },
  pin: {
    summary: 'Fixar uma mensagem no alto da conversa, para todos; no máximo 5',
    params: z.object({ id: uuid }),
    returns: pinnedAnswer,
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_SEND_STATE', 'ERR_PIN_LIMIT'],
  },
  unpin: {
    summary: 'Desafixar uma mensagem',
    params: z.object({ id: uuid }),
    returns: pinnedAnswer,
    errors: ['ERR_FETCH_WAPP_MSG'],
  },
  mentionable: {
    summary: 'Quem uma nota deste atendimento pode mencionar: colegas que o veem, e equipes com algum deles',
    query: z.object({ searchParam: text(80).optional() }),
    returns: z.object({
      users: z.array(z.object({ id: z.number().int(), name: z.string() })),
      teams: z.array(z.object({ id: z.number().int(), name: z.string(), members: z.number().int() })),
      /** True if more entries exist than returned; a search by part of the name finds them. */
      isCapped: z.boolean(),
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  media: {
    summary: 'Pedir de novo o arquivo de uma mensagem que não chegou ou expirou',
    params: z.object({ id: uuid }),
    returns: messageRow,
    errors: ['ERR_FETCH_WAPP_MSG', 'ERR_NO_MEDIA'],
  },
})

/** Result of forwarding: per recipient, the message or the reason of the refusal. */
export type Forwarded = z.output<typeof messages.forward.returns>

declare module '#kit/contract.ts' {
  interface Contracts {
    messages: typeof messages
  }
}
