import { z } from 'zod'
import { LANGUAGES } from '#domain/webchat/languages.ts'
import { contract } from '#kit/contract.ts'
import { epochMs, moment, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { lookFields, visitAnswers, webchatChannelForm, webchatSite } from './forms.ts'

/** Public token of a channel, used in the pages of customers' sites. */
export const channelToken = z.string().regex(/^[\w-]{16,64}$/)
const idFront = uuid

/** Schema of the widget's configuration, available by the public channel token; file sizes in bytes, types as MIME types. */
export const webchatConfig = z.object({
  ...lookFields,
  online: z.boolean(),
  /** Form that a new visitor fills in first; null: none. */
  form: webchatChannelForm.shape.form.unwrap().omit({ isOn: true }).nullable(),
  /** Text shown while the company is closed and visitors may leave a message and an e-mail; null: open, or not offered. */
  absent: z.string().nullable(),
  openings: webchatChannelForm.shape.openings.unwrap(),
  /** Possible ratings with their labels. */
  rates: z.array(z.object({ rating: z.number().int(), label: z.string() })),
  upload: z.object({ maxBytes: z.number().int(), accept: z.array(z.string()) }),
})

const kind = z.enum(['text', 'image', 'audio', 'video', 'document'])

/** Quoted message as the visitor sees it; `name` is that of its file. */
const visitorQuote = z.object({
  id: uuid,
  fromVisitor: z.boolean(),
  author: z.string().nullable(),
  kind,
  body: z.string(),
  name: z.string().nullable(),
})

/** Schema of a message as its visitor sees it; internal notes and team events are never included. */
export const visitorMessage = z.object({
  id: uuid,
  idFront: z.string().nullable(),
  fromVisitor: z.boolean(),
  author: z.string().nullable(),
  kind,
  body: z.string(),
  quoted: visitorQuote.nullable(),
  media: z
    .object({ url: z.string(), name: z.string(), mime: z.string(), size: z.number().int().nullable() })
    .nullable(),
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  deleted: z.boolean(),
  edited: z.boolean(),
  /** Whether the message is a rating question. */
  asksRating: z.boolean(),
  forwarded: z.boolean(),
  reactions: z.array(z.object({ emoji: z.string(), fromVisitor: z.boolean() })),
  buttons: z.array(z.object({ id: z.string(), text: z.string() })),
  footer: z.string(),
  timestamp: epochMs,
})

/** Schema of the visitor's identity from the customer's site; `hash` is HMAC-SHA256(channel secret, id) in hexadecimal. */
export const visitorUser = z.strictObject({
  id: z.string().trim().min(1).max(120),
  name: z.string().trim().max(120).optional(),
  email: z.string().trim().max(254).optional(),
  phone: z.string().trim().max(32).optional(),
  hash: z.string().max(128).optional(),
})

const session = z.object({ visitorToken: z.string(), ticketOpen: z.boolean() })

const messagePage = z.object({
  messages: z.array(visitorMessage),
  /** Whether there are messages before these. */
  hasMore: z.boolean(),
  /** With `since`: cursor for the remaining changes; null if complete. */
  nextCursor: z.string().nullable(),
  /** Value for the next `since`. */
  asOf: epochMs,
})

/** Acknowledgement: the message is in the journal and follows as an event. */
const accepted = z.object({ idFront, timestamp: epochMs })
const done = z.object({ message: z.string() })

/** API contract of the widget; all operations but `config` and `session` require `Authorization: Bearer <visitorToken>`. */
export const webchat = contract(at.webchat, {
  config: {
    summary: 'Webchat: aparência e situação do canal',
    query: z.object({ token: channelToken }),
    returns: webchatConfig,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_RATE_LIMIT'],
  },
  session: {
    summary: 'Webchat: abrir ou retomar a conversa do visitante',
    body: z.strictObject({
      token: channelToken,
      visitorToken: z.string().max(128).optional(),
      page: z.strictObject({ url: z.string().max(2000), title: z.string().max(300) }).optional(),
      user: visitorUser.optional(),
      attributes: z
        .record(z.string().max(60), z.string().max(500))
        .refine((all) => Object.keys(all).length <= 30, 'Envie no máximo 30 campos.')
        .optional(),
      form: visitAnswers.optional(),
      /** Language of the page. */
      language: z.enum(LANGUAGES).optional(),
    }),
    returns: session,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_RATE_LIMIT', 'ERR_NO_PERMISSION'],
  },
  list: {
    summary: 'Webchat: mensagens do visitante, as últimas, as anteriores a uma, ou as mudadas desde um ponto',
    query: z.object({
      before: uuid.optional(),
      since: moment.optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number<number | string>().int().min(1).max(100).default(30),
    }),
    returns: messagePage,
    errors: ['ERR_SESSION_EXPIRED'],
  },
  send: {
    summary: 'Webchat: mensagem do visitante (repetir o mesmo idFront não duplica)',
    body: z.strictObject({ idFront, text: z.string().trim().min(1).max(4096), quotedId: uuid.optional() }),
    returns: accepted,
    errors: ['ERR_SESSION_EXPIRED', 'ERR_RATE_LIMIT', 'ERR_BUSY', 'ERR_FETCH_WAPP_MSG'],
  },
  upload: {
    summary: 'Webchat: arquivo do visitante, com legenda (multipart; repetir o mesmo idFront não duplica)',
    body: z.strictObject({
      idFront,
      caption: z.string().trim().max(4096).default(''),
      quotedId: uuid.optional(),
    }),
    returns: accepted,
    errors: [
      'ERR_SESSION_EXPIRED',
      'ERR_RATE_LIMIT',
      'ERR_BUSY',
      'ERR_FETCH_WAPP_MSG',
      'ERR_FILE_TOO_LARGE',
      'ERR_FILE_TYPE',
    ],
  },
  act: {
    summary:
      'Webchat: o visitante edita ou apaga o que escreveu, reage, ou toca em um botão (repetir o id não duplica)',
    params: z.object({ messageId: uuid }),
    body: z.strictObject({
      id: uuid,
      act: z.enum(['edit', 'revoke', 'react', 'press']),
      body: z.string().trim().min(1).max(4096).optional(),
      /** One emoji; empty removes the reaction. */
      reaction: z.string().max(40).optional(),
      buttonId: z.string().max(256).optional(),
    }),
    returns: done,
    errors: [
      'ERR_SESSION_EXPIRED',
      'ERR_RATE_LIMIT',
      'ERR_BUSY',
      'ERR_FETCH_WAPP_MSG',
      'ERR_EDIT_TOO_LATE',
      'ERR_DELETE_WAPP_MSG',
    ],
  },
  typing: {
    summary: 'Webchat: o visitante está digitando',
    body: z.strictObject({ state: z.enum(['composing', 'paused']) }),
    returns: done,
    errors: ['ERR_SESSION_EXPIRED'],
  },
  read: {
    summary: 'Webchat: o visitante leu até uma mensagem',
    body: z.strictObject({ upTo: uuid }),
    returns: done,
    errors: ['ERR_SESSION_EXPIRED'],
  },
  end: {
    summary: 'Webchat: o visitante encerra o atendimento; o que ele escrever depois começa outro',
    body: z.strictObject({}),
    returns: done,
    errors: ['ERR_SESSION_EXPIRED'],
  },
  transcript: {
    summary: 'Webchat: a conversa do visitante em texto, as últimas mil mensagens',
    returns: z.object({ name: z.string(), text: z.string() }),
    errors: ['ERR_SESSION_EXPIRED'],
  },
})

const webchatChannel = webchatChannelForm.extend({
  id: z.number().int(),
  token: z.string(),
  /** Last characters of the current secret; null if there is none. */
  proofHint: z.string().nullable(),
})

/** Mail connection for answers: its address, and whether replies are received. */
const mailer = z.object({ address: z.string(), takesAnswers: z.boolean() })

/** API contract of webchat channels' settings. */
export const webchatChannels = contract(at.webchatChannels, {
  list: {
    summary: 'Webchat: canais da empresa',
    returns: z.object({ channels: z.array(webchatChannel), mailer: mailer.nullable() }),
  },
  create: {
    summary: 'Webchat: criar um canal',
    body: webchatChannelForm,
    returns: webchatChannel,
    errors: ['ERR_MAX_CONNECTIONS', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_NO_QUEUE_FOUND'],
    audit: true,
  },
  update: {
    summary: 'Webchat: alterar um canal',
    body: webchatChannelForm,
    returns: webchatChannel,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_QUEUE_FOUND'],
    audit: true,
  },
  renew: {
    summary: 'Webchat: trocar o código de instalação; o antigo deixa de funcionar',
    returns: webchatChannel,
    errors: ['ERR_NO_WAPP_FOUND'],
    audit: true,
  },
  test: {
    summary: 'Webchat: olhar uma página do site e dizer o que a impede de mostrar o canal',
    mode: 'slow',
    body: webchatSite,
    returns: z.object({ ok: z.boolean(), text: z.string() }),
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_RATE_LIMIT'],
  },
  newSecret: {
    summary:
      'Webchat: fazer um segredo novo para a prova de identidade; só aparece nesta resposta, o anterior não vale mais',
    returns: z.object({ proofSecret: z.string() }),
    errors: ['ERR_NO_WAPP_FOUND'],
    audit: true,
  },
})

/** Webchat channel with its appearance, as its settings screen reads it. */
export type WebchatChannel = z.output<typeof webchatChannel>
export type WebchatChannelForm = z.input<typeof webchatChannelForm>
export type WebchatChannelValues = z.output<typeof webchatChannelForm>
export type WebchatConfig = z.output<typeof webchatConfig>
export type VisitorMessage = z.output<typeof visitorMessage>
export type VisitorQuote = z.output<typeof visitorQuote>
export type WebchatMailer = z.output<typeof mailer>
export type VisitorUser = z.output<typeof visitorUser>
export type VisitAnswers = z.output<typeof visitAnswers>
export type VisitorSession = z.output<typeof session>
export type MessagePage = z.output<typeof messagePage>
export type Accepted = z.output<typeof accepted>
/** Statuses by message id; `upTo` also includes all of the visitor's messages up to that time. */
export type VisitorStatus = { ids: string[]; status: VisitorMessage['status']; upTo?: number }
/** Typing state of a team member. */
export type VisitorTyping = { state: 'composing' | 'paused'; author: string | null }

declare module '#kit/contract.ts' {
  interface Contracts {
    webchatChannels: typeof webchatChannels
  }
}
