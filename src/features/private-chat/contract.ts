import { z } from 'zod'
import { isOneEmoji } from '#domain/messages/emoji.ts'
import { MOST_FORWARDED, MOST_TEXT } from '#domain/private-chat/limits.ts'
import { messageFile } from '#features/ledger/file-contract.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import {
  done,
  duration,
  epochMs,
  flag,
  formFlag,
  id,
  inForm,
  moment,
  pageAnswer,
  pageQuery,
  text,
  uuid,
} from '#kit/fields.ts'
import * as at from './addresses.ts'

const mediaType = z.enum(['text', 'image', 'video', 'audio', 'document'])

/** Schema of a message between colleagues. */
export const privateMessage = z.object({
  id: uuid,
  text: z.string(),
  mediaType,
  mediaName: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  file: messageFile.nullable(),
  senderId: z.number().int(),
  senderName: z.string(),
  receiverId: z.number().int().nullable(),
  groupId: z.number().int().nullable(),
  tenantId: z.number().int(),
  /** Whether a user other than the sender has read the message. */
  read: z.boolean(),
  timestamp: epochMs,
  reactions: z.array(z.object({ emoji: z.string(), userId: z.number().int(), name: z.string() })),
  quoted: z
    .object({
      id: uuid,
      text: z.string(),
      mediaType,
      mediaName: z.string().nullable(),
      senderId: z.number().int(),
      senderName: z.string(),
    })
    .nullable(),
  /** Mentioned members of the team. */
  mentions: z.array(z.object({ id: z.number().int(), name: z.string() })),
  isEdited: z.boolean(),
  isDeleted: z.boolean(),
  isForwarded: z.boolean(),
  /** Ticket from which the message was forwarded; opens only for users who may see it. */
  ticketId: z.number().int().nullable(),
  /** Number of changes; of two copies the one with the higher revision is newer. */
  revision: z.number().int(),
})

/** Message between colleagues, as API responses return it. */
export type PrivateMessage = z.output<typeof privateMessage>

/** Schema of a user's reading position in a conversation. */
const position = z.object({
  userId: z.number().int(),
  name: z.string(),
  timestamp: epochMs,
  id: uuid,
})

/** Reading position of a user, as API responses return it. */
export type PrivatePosition = z.output<typeof position>

const listed = {
  id: z.number().int(),
  isOnline: z.boolean(),
  unreadCount: z.number().int(),
  /** Time of the last message (epoch ms). */
  timestamp: z.number().int().nullable(),
  /** Last message as one line. */
  lastMessage: z.string().nullable(),
}

const ofPeer = z.object({ contactId: id })
const peerQuery = { isGroup: flag }
const refusals = ['ERR_NO_USER_FOUND', 'ERR_NO_TEAM_FOUND', 'ERR_NO_PERMISSION'] as const

/** API contract of the private chat; users read their own conversations only. */
export const privateChat = contract(at.privateChat, {
  colleagues: {
    summary: 'Os colegas, com as mensagens não lidas de cada um; as conversas mais novas primeiro',
    query: pageQuery,
    returns: z.object({ users: z.array(z.object({ ...listed, name: z.string() })), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  groups: {
    summary: 'As próprias equipes como conversas; as mais novas primeiro',
    params: z.object({ userId: id }),
    query: pageQuery,
    returns: z.object({
      groups: z.array(z.object({ ...listed, group: z.string(), isMember: z.boolean() })),
      ...pageAnswer,
    }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_PAGE_TOO_FAR'],
  },
  send: {
    summary: 'Escrever a um colega ou a uma equipe, com arquivos ou sem; o mesmo `id` outra vez é a mesma mensagem',
    mode: 'slow',
    body: z.strictObject({
      id: uuid,
      text: z.string().max(MOST_TEXT, `Use no máximo ${MOST_TEXT} caracteres.`).default(''),
      receiverId: id.nullish(),
      groupId: id.nullish(),
      isGroup: formFlag,
      quotedId: uuid.nullish(),
      /** Duration of a recording. */
      durationMs: duration.optional(),
      /** Fields that older clients send; ignored by the server. */
      read: formFlag.optional(),
      tenantId: id.optional(),
      sender: inForm(z.union([id, z.looseObject({ id })])).optional(),
      timestamp: moment.optional(),
    }),
    returns: z.object({ mensagem: privateMessage, mensagens: z.array(privateMessage) }),
    errors: [
      ...refusals,
      'ERR_IDEMPOTENCY_MISMATCH',
      'ERR_MESSAGE_EMPTY',
      'ERR_NO_PRIVATE_MESSAGE',
      'ERR_PRIVATE_GROUP_LEFT',
    ],
  },
  forward: {
    summary:
      'Encaminhar a um colega ou a uma equipe até 10 mensagens, de conversas próprias ou (`ticketId`) de um atendimento que se vê; o mesmo `id` outra vez é o mesmo pedido',
    body: z.strictObject({
      id: uuid,
      messages: z
        .array(uuid)
        .min(1, 'Escolha o que encaminhar.')
        .max(MOST_FORWARDED, `No máximo ${MOST_FORWARDED} mensagens.`),
      ticketId: id.nullish(),
      receiverId: id.nullish(),
      groupId: id.nullish(),
      isGroup: formFlag,
    }),
    returns: z.object({ mensagens: z.array(privateMessage) }),
    errors: [
      ...refusals,
      'ERR_IDEMPOTENCY_MISMATCH',
      'ERR_NO_PRIVATE_MESSAGE',
      'ERR_NO_TICKET_FOUND',
      'ERR_NOT_FORWARDABLE',
      'ERR_PRIVATE_GROUP_LEFT',
    ],
  },
  list: {
    summary: 'Uma página de uma conversa própria, da mensagem mais antiga à mais nova, e até onde cada um leu',
    params: ofPeer,
    query: pageQuery.omit({ pageNumber: true, searchParam: true }).extend(peerQuery),
    returns: z.object({
      messages: z.array(privateMessage),
      positions: z.array(position),
      peer: z.object({
        id: z.number().int(),
        isGroup: z.boolean(),
        name: z.string(),
        isOnline: z.boolean(),
        canWrite: z.boolean(),
      }),
      ...pageAnswer,
    }),
    errors: refusals,
  },
  export: {
    summary: 'Uma conversa própria em PDF; o arquivo é enviado enquanto é feito',
    mode: 'slow',
    params: ofPeer,
    query: z.object(peerQuery),
    returns: z.unknown(),
    errors: refusals,
  },
  read: {
    summary: 'Marcar uma conversa própria como lida, até uma mensagem ou toda',
    params: ofPeer,
    body: z.strictObject({ isGroup: formFlag, upTo: uuid.optional() }),
    returns: done,
    errors: [...refusals, 'ERR_NO_PRIVATE_MESSAGE'],
  },
  typing: {
    summary: 'Dizer a quem está na conversa que se escreve ou grava',
    mode: 'slow',
    params: ofPeer,
    body: z.strictObject({ isGroup: formFlag, state: z.enum(['composing', 'recording', 'paused']) }),
    returns: done,
    errors: [...refusals, 'ERR_PRIVATE_GROUP_LEFT'],
  },
  edit: {
    summary: 'Alterar o texto de uma mensagem própria',
    params: z.object({ id: uuid }),
    body: z.strictObject({ text: text(MOST_TEXT, 1) }),
    returns: privateMessage,
    errors: ['ERR_NO_PRIVATE_MESSAGE', 'ERR_PRIVATE_MESSAGE_OTHERS'],
  },
  remove: {
    summary: 'Apagar uma mensagem própria; no lugar dela fica que foi apagada',
    params: z.object({ id: uuid }),
    returns: privateMessage,
    errors: ['ERR_NO_PRIVATE_MESSAGE', 'ERR_PRIVATE_MESSAGE_OTHERS'],
  },
  react: {
    summary: 'Reagir a uma mensagem com um emoji; um novo toma o lugar do anterior',
    params: z.object({ id: uuid }),
    body: z.strictObject({
      emoji: z
        .string()
        .max(40)
        .refine(isOneEmoji, 'Escolha um emoji.')
        .meta({ examples: ['👍'] }),
    }),
    returns: privateMessage,
    errors: ['ERR_NO_PRIVATE_MESSAGE'],
  },
  unreact: {
    summary: 'Tirar a própria reação de uma mensagem',
    params: z.object({ id: uuid }),
    returns: privateMessage,
    errors: ['ERR_NO_PRIVATE_MESSAGE'],
  },
  unread: {
    summary: 'Quantas mensagens de colegas não foram lidas',
    returns: z.object({ count: z.number().int() }),
  },
  unreadOfGroups: {
    summary: 'Quantas mensagens de equipes não foram lidas',
    returns: z.object({ count: z.object({ count: z.number().int() }) }),
  },
  readAll: {
    summary: 'Marcar todas as conversas próprias como lidas',
    body: z.strictObject({}).optional(),
    returns: done,
  },
  search: {
    summary: 'Procurar nas próprias conversas, ou em uma delas; as mensagens mais novas primeiro',
    query: pageQuery.omit({ pageNumber: true }).extend({ contactId: id.optional(), ...peerQuery }),
    returns: z.object({ messages: z.array(privateMessage), ...pageAnswer }),
    errors: refusals,
  },
})

/** Events of private conversations, sent to their participants only. */
export const privateChatEvents = events(at.privateChatEvents, {
  create: privateMessage,
  update: privateMessage,
  /** `people`: both users of a conversation with a colleague; empty for a team, which is given by `groupId`. */
  read: position.extend({ people: z.array(z.number().int()), groupId: z.number().int().nullable() }),
  typing: z.object({
    userId: z.number().int(),
    name: z.string(),
    groupId: z.number().int().nullable(),
    state: z.enum(['composing', 'recording', 'paused']),
  }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    privateChat: typeof privateChat
  }
  interface Events {
    privateChatEvents: typeof privateChatEvents
  }
}
