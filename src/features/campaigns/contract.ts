import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { DISPATCH_STATUSES, ITEM_STATES } from '#domain/campaigns/states.ts'
import { contactFilter } from '#features/contacts/contract.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, flag, id, isoTime, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { campaignForm } from './forms.ts'

const count = z.number().int()

/** Counts of recipients by state; each is in one state, and those who replied, opted out or clicked are also counted apart. */
const counts = {
  contactsCount: count,
  /** Number of recipients without a message yet. */
  waiting: count,
  /** Number of recipients whose message is written and not sent yet. */
  queued: count,
  sent: count,
  delivered: count,
  read: count,
  failed: count,
  /** Number of recipients whose message has a lost response: it may have been sent, and is not repeated. */
  uncertain: count,
  skipped: count,
  replied: count,
  optedOut: count,
  /** Number of recipients who opened a link of the message. */
  clicked: count,
}

const sentTemplate = z.object({ name: z.string(), language: z.string(), values: z.record(z.string(), z.string()) })

/** Schema of a dispatch: a campaign, or a message to a list. */
export const campaign = z.object({
  id: count,
  name: z.string(),
  status: z.enum(DISPATCH_STATUSES),
  start: isoTime,
  sessionId: count.nullable(),
  sessionName: z.string(),
  channel: z.string(),
  delay: count,
  message1: z.string(),
  message2: z.string(),
  message3: z.string(),
  weights: z.array(count),
  template: sentTemplate.nullable(),
  /** Link to the file of the messages, valid for an hour. */
  mediaUrl: z.string().nullable(),
  mediaType: z.string().nullable(),
  mediaName: z.string().nullable(),
  windowStart: z.string(),
  windowEnd: z.string(),
  weekdays: z.array(count),
  skipsHolidays: z.boolean(),
  purpose: z.enum(['marketing', 'utility']),
  perWeek: count.nullable(),
  skipsOpen: z.boolean(),
  replyQueueId: count.nullable(),
  replyTagId: count.nullable(),
  replyFlowId: count.nullable(),
  recurrence: z.string().nullable(),
  followUp: z.object({ days: count, message: z.string(), template: sentTemplate.nullable() }).nullable(),
  /** Id of the campaign that it follows up, for recipients without an answer. */
  followsId: count.nullable(),
  userId: count.nullable(),
  userName: z.string(),
  /** Reason why the product paused it; '' otherwise. */
  pauseReason: z.string(),
  /** Time until which number care delays it. */
  waitsUntil: isoTime.nullable(),
  ...counts,
  startedAt: isoTime.nullable(),
  finishedAt: isoTime.nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Campaign as the browser gets it. */
export type Campaign = z.output<typeof campaign>

/** Schema of a recipient. */
export const recipient = z.object({
  id: count,
  contactId: count,
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  profilePicUrl: hidden(z.string().nullable(), withhold),
  /** Number of the message that was sent, from 1. */
  message: count,
  state: z.enum(ITEM_STATES),
  /** Reason why the recipient was skipped or the message failed, as a sentence; '' otherwise. */
  reason: z.string(),
  sentAt: isoTime.nullable(),
  stateAt: isoTime.nullable(),
  repliedAt: isoTime.nullable(),
  optedOutAt: isoTime.nullable(),
  clickedAt: isoTime.nullable(),
})

/** Recipient of a campaign as the browser gets it. */
export type CampaignRecipient = z.output<typeof recipient>

/** Schema of a dispatch's forecast. */
export const plan = z.object({
  /** Number of recipients who would get a message, and of those who would not, by reason. */
  reached: count,
  left: z.array(z.object({ reason: z.string(), text: z.string(), count })),
  /** Number of recipients without any message from or to this number so far. */
  firstContacts: count,
  /** Expected time of the last message. */
  endsAt: isoTime.nullable(),
  /** Unknown variables, and variables that are empty for some recipients. */
  unknownVariables: z.array(z.string()),
  emptyVariables: z.array(z.object({ name: z.string(), count })),
  level: z.enum(['good', 'warn', 'stop']),
  /** Objections, each as a sentence. */
  reasons: z.array(z.string()),
  /** Number of charged SMS parts, by the final texts; null on other channels. */
  parts: count.nullable(),
  /** Cost in R$ (decimal text) by the company's prices; null if none is set. */
  cost: z.string().nullable(),
  /** Interval in seconds with which it would be permitted; null if no interval helps. */
  delay: count.nullable(),
})

/** Forecast of a campaign as the browser gets it. */
export type CampaignPlan = z.output<typeof plan>

/** Schema of a share with its confidence interval, each between 0 and 1. */
const share = z.object({ share: z.number(), low: z.number(), high: z.number() })

const variant = z.object({
  ...{ message: count, reached: count, replied: count, optedOut: count },
  ...{ replies: share, stops: share },
})

/** Results of one of a campaign's messages as the browser gets them. */
export type CampaignVariant = z.output<typeof variant>

const gone = ['ERROR_CAMPAIGN_NOT_EXISTS'] as const
const move = { returns: campaign, errors: [...gone, 'ERR_CAMPAIGN_STATE'], audit: true } as const
const written = [
  ...(['ERROR_CAMPAIGN_DATE_NOT_VALID', 'ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION', 'ERR_CHANNEL_CANNOT'] as const),
  ...(['ERR_NO_TEMPLATE_FOUND', 'ERR_TEMPLATE_REFUSED', 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'] as const),
  ...(['ERR_ADDRESS_REFUSED', 'ERR_FILE_FETCH'] as const),
  ...(['ERR_FILE_NOT_CARRIED', 'ERR_NO_QUEUE_FOUND', 'ERR_NO_TAG_FOUND', 'ERR_NO_CHAT_FLOW_FOUND'] as const),
] as const

/** Contract of campaigns: planned messages to many contacts. */
export const campaigns = contract(at.campaigns, {
  list: {
    summary: 'Campanhas, da mais nova à mais antiga',
    query: pageQuery.extend({ status: many(z.enum(DISPATCH_STATUSES)) }),
    returns: z.object({ campaigns: z.array(campaign), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma campanha e o seu andamento', returns: campaign, errors: gone },
  create: {
    summary: 'Nova campanha, pendente; com ou sem arquivo',
    mode: 'slow',
    body: campaignForm,
    returns: campaign,
    errors: written,
    audit: true,
  },
  update: {
    summary: 'Alterar uma campanha pendente ou cancelada',
    mode: 'slow',
    body: campaignForm,
    returns: campaign,
    errors: [...gone, 'ERR_NO_UPDATE_CAMPAIGN_NOT_IN_CANCELED_PENDING', ...written],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma campanha pendente, programada ou cancelada',
    returns: done,
    errors: [...gone, 'ERR_CAMPAIGN_STATE'],
    audit: true,
  },
  start: {
    summary: 'Programar o envio; recusado sem contatos ou com um plano que põe o número em risco',
    returns: campaign,
    errors: [
      ...gone,
      'ERR_CAMPAIGN_STATE',
      'ERR_NO_CAMPAIGN_CONTACTS_NOT_FOUND',
      'ERROR_CAMPAIGN_DATE_NOT_VALID',
      'ERR_CAMPAIGN_PLAN',
      'ERR_NO_WAPP_FOUND',
    ],
    audit: true,
  },
  cancel: { summary: 'Cancelar o que está programado ou pausado', ...move },
  pause: { summary: 'Pausar o envio', ...move },
  resume: { summary: 'Continuar o envio', ...move },
  finish: { summary: 'Forçar a finalização: quem ainda não recebeu não recebe mais', ...move },
  skip: { summary: 'Pular a próxima mensagem da fila', ...move },
  duplicate: {
    summary: 'Uma cópia pendente, com os mesmos contatos; ou só com quem não respondeu',
    body: z.strictObject({ onlySilent: z.boolean().default(false) }).default({ onlySilent: false }),
    returns: campaign,
    errors: gone,
    audit: true,
  },
  plan: {
    summary: 'O que o envio faria: quem fica de fora e por quê, até quando dura, o que falta nos textos, o risco',
    mode: 'slow',
    returns: plan,
    errors: [...gone, 'ERR_NO_WAPP_FOUND'],
  },
  preview: {
    summary: 'As mensagens como um contato as leria',
    params: z.object({ id, contactId: id }),
    returns: z.object({
      name: hidden(z.string(), maskName),
      /** Texts in order; for a template its one text. */
      messages: hidden(z.array(z.string()), withholdAll),
    }),
    errors: [...gone, 'ERR_NO_CONTACT_FOUND'],
  },
  test: {
    summary: 'Enviar a um contato só, como teste, a mensagem como está; não conta na campanha',
    body: z.strictObject({ contactId: id, message: z.number().int().min(1).max(3).default(1) }),
    returns: done,
    errors: [
      ...gone,
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_CONTACT_BLOCKED',
      'ERR_WAPP_CHECK_CONTACT',
      'ERR_WINDOW_CLOSED',
      'ERR_FILE_NOT_CARRIED',
      'ERR_TEMPLATE_REFUSED',
      'ERR_NO_TEMPLATE_FOUND',
      'ERR_CHANNEL_CANNOT',
    ],
  },
  rhythm: {
    summary: 'Quantas mensagens saíram por hora, quantas são previstas e quando acaba',
    returns: z.object({
      hours: z.array(z.object({ at: isoTime, done: count, planned: count })),
      /** Maximum number of messages per hour, as planned; null without an interval. */
      perHour: count.nullable(),
      endsAt: isoTime.nullable(),
    }),
    errors: gone,
  },
  variants: {
    summary: 'Comparação das mensagens: respostas e pedidos para sair, com intervalos de 95%',
    returns: z.object({
      variants: z.array(variant),
      /** Number of the message with significantly more answers; null while the confidence intervals overlap. */
      winner: count.nullable(),
    }),
    errors: gone,
  },
  report: {
    summary: 'Relatório em CSV, XLSX ou PDF: todos os contatos e o que foi feito deles',
    mode: 'slow',
    query: z.object({ format: z.enum(['csv', 'xlsx', 'pdf']).default('csv') }),
    returns: z.unknown(),
    errors: gone,
    audit: true,
  },
  audience: {
    summary: 'Quantos contatos um filtro deixa passar, grupos à parte',
    query: z.object(contactFilter.shape),
    returns: z.object({ count }),
  },
  contacts: {
    summary: 'Os contatos de uma campanha e o que foi feito deles',
    query: pageQuery.extend({
      ...{ state: many(z.enum(ITEM_STATES)), replied: flag, optedOut: flag, clicked: flag },
      /** Number of the message, from 1, to list only the recipients that it reached. */
      message: z.coerce.number<string | number>().int().min(1).max(3).optional(),
    }),
    returns: z.object({ contacts: z.array(recipient), ...pageAnswer }),
    errors: [...gone, 'ERR_PAGE_TOO_FAR'],
  },
  acks: {
    summary: 'Trazer de novo para os contatos de uma campanha o status das mensagens, onde algum faltou',
    returns: campaign,
    errors: gone,
    audit: true,
  },
  addContacts: {
    summary: 'Incluir contatos por nome, ou todos os de um filtro; um número entra uma vez só',
    body: z.strictObject({
      contacts: z.array(id).max(10_000).optional(),
      filter: contactFilter.optional(),
      /** Number of contacts that matched the filter when it was shown. */
      expected: z.number().int().min(0).optional(),
    }),
    returns: z.object({ added: count, contactsCount: count }),
    errors: [...gone, 'ERR_NO_UPDATE_CAMPAIGN_NOT_IN_CANCELED_PENDING', 'ERR_SELECTION_CHANGED', 'ERR_NO_WAPP_FOUND'],
    audit: true,
  },
  removeContact: {
    summary: 'Tirar um contato da campanha',
    params: z.object({ id, contactId: id }),
    returns: done,
    errors: [...gone, 'ERR_CAMPAIGN_CONTACTS_NOT_EXISTS', 'ERR_NO_UPDATE_CAMPAIGN_NOT_IN_CANCELED_PENDING'],
    audit: true,
  },
  clear: {
    summary: 'Tirar todos os contatos da campanha',
    returns: done,
    errors: [...gone, 'ERR_NO_UPDATE_CAMPAIGN_NOT_IN_CANCELED_PENDING'],
    audit: true,
  },
})

/** Contract of number care: the number of further bulk messages that a number may send. */
export const outreach = contract(at.outreach, {
  get: {
    summary: 'Cuidado com o número: se pode continuar, por quê, e quantos primeiros contatos faltam hoje',
    mode: 'slow',
    returns: z.object({
      level: z.enum(['good', 'warn', 'stop']),
      reasons: z.array(z.string()),
      firstContactsToday: count,
      /** Maximum number of first contacts per day; null: no limit. */
      firstContactsLimit: count.nullable(),
      /** Time from which the number may continue; null: now. */
      until: isoTime.nullable(),
    }),
    errors: ['ERR_NO_WAPP_FOUND'],
  },
})

/** Events for users who work with campaigns. */
export const campaignEvents = events(at.campaignEvents, {
  changed: z.object({ id: count, action: z.enum(['create', 'update', 'delete']) }),
  progress: z.object({ id: count }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    campaigns: typeof campaigns
    outreach: typeof outreach
  }
  interface Events {
    campaignEvents: typeof campaignEvents
  }
}
