import { z } from 'zod'
import { maskName, maskValue, withhold, withholdAll } from '#domain/access/restricted.ts'
import { withoutContacts } from '#domain/messages/template.ts'
import { SLA_CLOCKS, SLA_STATES } from '#domain/sla/clocks.ts'
import { ASSISTANTS } from '#domain/tickets/assistants.ts'
import { TICKET_STATUSES } from '#domain/tickets/facts.ts'
import { LIST_TABS } from '#domain/tickets/filter.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { day, epochMs, flag, id, isoTime, many, onOff, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { channelCapabilities } from './capability-fields.ts'
import { ticketDraft } from './draft-fields.ts'
import { mailDraft, templateWish } from './forms.ts'
import { maskReceiver } from './mask-mail.ts'
import { beginning, reached, reachQuery } from './reach-fields.ts'

const status = z.enum(TICKET_STATUSES)
const intOrNull = z.number().int().nullable()
const timeOrNull = epochMs.nullable()

const assistantFields = Object.fromEntries(ASSISTANTS.map((name) => [`${name}Status`, onOff])) as Record<
  `${(typeof ASSISTANTS)[number]}Status`,
  typeof onOff
>

/** The clock of a ticket that is due first: since when it runs, when it is over, and whether any is at risk or missed. */
export const ticketSla = z.object({
  state: z.enum(SLA_STATES),
  clock: z.enum(SLA_CLOCKS),
  since: epochMs,
  dueAt: epochMs,
})

/** The part of a ticket that each message changes; small, because every event carries it. */
export const ticketDelta = z.object({
  id: z.number().int(),
  status,
  userId: intOrNull,
  queueId: intOrNull,
  isGroup: z.boolean(),
  unreadMessages: z.number().int(),
  answered: z.boolean(),
  lastMessage: z.string(),
  lastMessageAt: epochMs,
  lastMessageFromMe: z.boolean(),
  lastMessageStatus: z.string(),
  /** Who of a group wrote it; null for every other message. */
  lastMessageSender: hidden(z.string().nullable(), (name) => name && maskName(name)),
  /** Since when the customer waits for a person; null when the last word was ours. */
  waitingSince: timeOrNull,
  /** Null where nothing is promised, or no clock runs. */
  sla: ticketSla.nullable(),
  lastMessageReceived: timeOrNull,
  /** Until when one may write freely; 0 where the contact never wrote, null where the channel has no such window. */
  windowUntil: timeOrNull,
  updatedAt: isoTime,
  /** Until when it is out of the tabs. */
  snoozedUntil: timeOrNull,
})

/** How far somebody has read: the place of the last message that was seen. */
export const readingPosition = z.object({ timestamp: epochMs, seq: z.number().int() })

const mailReceivers = hidden(z.array(z.object({ name: z.string(), address: z.string() })), (people) =>
  people.map(maskReceiver),
)

/** A row of the attendance list (specification §3, product facts appendix D). */
export const ticketRow = ticketDelta.extend({
  whatsappId: z.number().int(),
  connectionName: z.string(),
  contactId: z.number().int(),
  contact: z.object({
    id: z.number().int(),
    name: hidden(z.string(), maskName),
    number: hidden(z.string().nullable(), maskValue),
    profilePicUrl: hidden(z.string().nullable(), withhold),
    wallets: z.array(z.object({ id: z.number().int(), name: z.string() })),
  }),
  kanban: intOrNull,
  tags: z.array(z.object({ id: z.number().int(), tag: z.string(), color: z.string() })),
  chatFlowId: intOrNull,
  username: z.string().nullable(),
  queue: z.string().nullable(),
  name: hidden(z.string(), maskName),
  profilePicUrl: hidden(z.string().nullable(), withhold),
  channel: z.string(),
  createdAt: isoTime,
  closedAt: timeOrNull,
  /** Text that this viewer began to write, for the list's draft mark. */
  draft: z.string().nullable(),
  isPaused: z.boolean(),
  pausedAt: timeOrNull,
  ...assistantFields,
})

/** A row of the list, as a browser reads it. */
export type TicketRow = z.output<typeof ticketRow>
/** What a message changes of a ticket, as a browser reads it. */
export type TicketDelta = z.output<typeof ticketDelta>

/** A message that was pinned, as far as one line shows it. */
export const pinnedMessage = z.object({
  id: z.string(),
  body: z.string(),
  mediaType: z.string(),
  mediaName: z.string().nullable(),
  isNote: z.boolean(),
  /** The colleague who wrote it; null: the contact. */
  userName: z.string().nullable(),
  /** Who pinned it. */
  by: z.string().nullable(),
  /** The moment of the conversation at which it stands, in epoch ms. */
  timestamp: z.number().int(),
})

/** One ticket with everything that its screen shows. */
export const ticketDetail = ticketRow.extend({
  protocol: z.string(),
  startedAttendanceAt: timeOrNull,
  isActiveDemand: z.boolean(),
  value: z.string().nullable(),
  reasons: intOrNull,
  /** What the customer last gave it, from 0 to 5. */
  rating: intOrNull,
  user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  whatsapp: z.object({ id: z.number().int(), name: z.string(), type: z.string(), status: z.string() }),
  contactDetail: z.object({
    email: hidden(z.string(), maskValue),
    cpf: hidden(z.string(), maskValue),
    businessName: hidden(z.string(), maskValue),
    createdAt: isoTime,
    extraInfo: hidden(
      z.array(z.object({ id: z.union([z.string(), z.number()]), name: z.string(), value: z.string() })),
      withholdAll,
    ),
    otherTickets: z.number().int(),
    /** The name of the stage in which it stands; empty: none. */
    stage: z.string(),
    /** What the company's own variables stand for in this conversation. */
    variables: hidden(z.record(z.string(), z.string()), withoutContacts),
  }),
  /** The address to which an answer goes, and how many others the contact has on the channel. */
  /** Where what is written goes; since when it lets us write no more (the bot was blocked, or put out of the group). */
  writesTo: z.object({
    ...{ address: hidden(z.string(), maskValue), others: z.number().int() },
    blocksUsSince: epochMs.nullable(),
  }),
  /** What waits for its time, the next first. */
  scheduledMessages: z.array(
    z.object({
      id: z.string(),
      body: z.string(),
      scheduleDate: isoTime,
      status: z.string(),
      mediaType: z.string(),
      mediaName: z.string().nullable(),
      userName: z.string().nullable(),
      cancelOnReply: z.boolean(),
      repeat: z.string().nullable(),
    }),
  ),
  capabilities: channelCapabilities,
  /** Until when the provider charges nothing, because the contact came by an ad; null: nothing of the kind is known. */
  freeUntil: timeOrNull,
  totalPausedMs: z.number().int(),
  /** Where in its chat flow it stands, and how often the bot has asked there in vain. */
  stepChatFlow: z.string().nullable(),
  botRetries: z.number().int(),
  isFarewellMessage: z.boolean(),
  /** Of a group: who sees it; null for everything else. */
  groupUserIdArray: z.array(z.number().int()).nullable(),
  /** Who follows it, of those who see it. */
  followers: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** Messages that stand above the conversation, the one that was pinned last first. */
  pinned: z.array(pinnedMessage),
})

/** One ticket, as a browser reads it. */
export type TicketDetail = z.output<typeof ticketDetail>

/** What was agreed on in a ticket, as the wire has money; null: nothing. */
export const ticketValue = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, 'Informe um valor como 1234.56.')
  .nullable()

const statuses = many(status)

/** Thirty days. */
const MOST_WAITING_MINUTES = 43_200

/** The attendance filter of specification §3; arrays as repeated parameters. `tab` and `isGroup` are the list's tabs ('live': open and pending). */
export const ticketFilter = pageQuery.extend({
  tab: z.enum(LIST_TABS).optional(),
  isGroup: flag,
  /** One queue, one owner ('none': no queue, nobody): strict like the tabs, even under show-all. */
  onlyQueue: z.union([z.literal('none'), id]).optional(),
  onlyUser: z.union([z.literal('none'), id]).optional(),
  /** Only what was closed since midnight in the company's zone. */
  closedToday: flag,
  /** The oldest first. */
  oldestFirst: flag,
  /** Those whose customer waits for us before all others. */
  unansweredFirst: flag,
  /** What is pending before what is open. */
  pendingFirst: flag,
  /** Those whose clocks run before all others, the one that is due first at the top; those without as usual. */
  dueFirst: flag,
  /** Only tickets of which a clock is at risk, or over; the one that is due first at the top. */
  sla: z.enum(['warned', 'missed']).optional(),
  /** Only tickets whose customer has waited for us so many minutes or longer. */
  waitingMinutes: z.coerce.number<number | string>().int().min(1).max(MOST_WAITING_MINUTES).optional(),
  /** Only tickets whose last message is of these days, in the company's zone; the list goes by it then. */
  from: day.optional(),
  to: day.optional(),
  /** Open and pending when it is not said; `status=` alone asks for none. */
  status: z.preprocess((v: unknown) => (v === '' ? [] : v), statuses) as unknown as typeof statuses,
  showAll: flag,
  /** When on, the answer counts the tabs as well. */
  count: flag,
  queuesIds: many(id),
  whatsappIds: many(id),
  selectedUser: id.optional(),
  tags: many(id),
  kanban: many(id),
  withUnreadMessages: flag,
  isNotAssignedUser: flag,
  includeNotQueueDefined: flag,
  /** 'mine': only the viewer's own; 'waiting': the customer waits for us. */
  scope: z.enum(['mine', 'waiting']).optional(),
})

const counts = z.object({
  open: z.number().int(),
  pending: z.number().int(),
  groups: z.number().int(),
  waiting: z.number().int(),
  snoozed: z.number().int(),
  chatbot: z.number().int(),
})

const forceBody = z.strictObject({ status, userId: id.nullable().optional() })

/** Tickets: the list, one, its moves. */
export const tickets = contract(at.tickets, {
  list: {
    summary: 'Lista de atendimentos, com o filtro e a visibilidade de quem pede',
    sampled: true,
    query: ticketFilter,
    returns: z.object({ tickets: z.array(ticketRow), ...pageAnswer, counts: counts.optional() }),
    errors: ['ERR_NO_STATUS_SELECTED', 'ERR_PAGE_TOO_FAR'],
  },
  get: {
    summary: 'Um atendimento',
    returns: ticketDetail,
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  logs: {
    summary: 'O que aconteceu com o atendimento, do mais novo ao mais antigo',
    query: pageQuery,
    returns: z.object({
      logs: z.array(
        z.object({
          id: z.number().int(),
          type: z.string(),
          label: z.string(),
          createdAt: isoTime,
          user: z.object({ name: z.string() }).nullable(),
          queue: z.object({ queue: z.string() }).nullable(),
          /** Why it was paused; until when it was snoozed. */
          reason: z.string().nullable(),
          until: isoTime.nullable(),
        }),
      ),
      ...pageAnswer,
    }),
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  explain: {
    summary: 'Por que o atendimento aparece, ou não, para quem pede ou para um colega: a regra que decidiu',
    /** Only leads may ask for a colleague, and only about tickets that they see themselves. */
    query: z.object({ userId: id.optional() }),
    returns: z.object({
      visible: z.boolean(),
      rule: z.string(),
      /** In which tab it stands for everybody who sees it. */
      tab: z.enum(['open', 'pending', 'closed', 'snoozed', 'chatbot']),
    }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
  },
  create: {
    summary: 'Iniciar uma conversa com um contato por um canal',
    body: z.strictObject({
      contactId: id,
      whatsappId: id.optional(),
      channelId: id.optional(),
      channel: z.string().max(40).optional(),
      status: z.enum(['open', 'pending']).optional(),
      userId: id.nullable().optional(),
      queueId: id.nullable().optional(),
      isActiveDemand: z.boolean().optional(),
      /** Where one may not write freely, the conversation begins with it. */
      template: templateWish.optional(),
    }),
    returns: ticketDetail,
    errors: [
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_DEF_WAPP_FOUND',
      'ERR_WAPP_CHECK_CONTACT',
      'ERR_NO_PERMISSION',
      'ERR_NO_USER_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_WINDOW_CLOSED',
      'ERR_NO_TEMPLATE_FOUND',
      'ERR_TEMPLATE_REFUSED',
    ],
  },
  reach: {
    summary:
      'De quem é um número, ou quem é um contato, e por quais canais se pode escrever a ele; os que servem primeiro',
    query: reachQuery,
    returns: reached,
    errors: ['ERR_NO_CONTACT_FOUND'],
  },
  begin: {
    summary:
      'Escrever a um contato ou a um número por um canal: abre o atendimento que já existe, ou começa um; o número novo vira contato',
    body: beginning,
    returns: z.object({ ticket: ticketDetail, isNew: z.boolean() }),
    errors: [
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_WAPP_CHECK_CONTACT',
      'ERR_NO_PERMISSION',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_WINDOW_CLOSED',
      'ERR_NO_TEMPLATE_FOUND',
      'ERR_TEMPLATE_REFUSED',
    ],
  },
  update: {
    summary: 'Atender, transferir, devolver, resolver, reabrir; não lidas; etiquetas; assistentes',
    body: z.strictObject({
      status: status.optional(),
      userId: id.nullable().optional(),
      queueId: id.nullable().optional(),
      isTransference: z.boolean().optional(),
      unreadMessages: z.number().int().min(0).max(9999).optional(),
      kanban: id.nullable().optional(),
      value: ticketValue.optional(),
      tagIds: z.array(id).max(50).optional(),
      snoozedUntil: z.iso.datetime({ offset: true, error: 'Informe o dia e a hora.' }).nullable().optional(),
      reasons: id.nullable().optional(),
      isFarewellMessage: z.boolean().optional(),
      groupUserIdArray: z.array(id).max(500).nullable().optional(),
      ...(Object.fromEntries(ASSISTANTS.map((name) => [`${name}Status`, onOff.optional()])) as Record<
        `${(typeof ASSISTANTS)[number]}Status`,
        z.ZodOptional<typeof onOff>
      >),
    }),
    returns: ticketDetail,
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_TAG_FOUND',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_TICKET_TAKEN',
      'ERR_TICKET_TRANSITION',
      'ERR_NO_PERMISSION',
      'ERR_REASON_REQUIRED',
    ],
  },
  read: {
    summary: 'Até que mensagem quem pede leu; as não lidas só baixam quando é de quem atende, e nunca ao espiar',
    body: z.strictObject({ messageId: uuid, isPeek: z.boolean().optional() }),
    returns: z.object({ unreadMessages: z.number().int() }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_FETCH_WAPP_MSG', 'ERR_NO_PERMISSION'],
  },
  force: {
    summary: 'Mudar a situação sem despedida, avaliação ou motivo',
    body: forceBody,
    returns: ticketDetail,
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_TICKET_TRANSITION',
      'ERR_NO_PERMISSION',
    ],
  },
  nullify: {
    summary: 'O mesmo para um atendimento sem fila nem responsável',
    body: forceBody,
    returns: ticketDetail,
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_TICKET_TRANSITION',
      'ERR_NO_PERMISSION',
    ],
  },
  check: {
    summary: 'Se o contato (a) já tem atendimento aberto no canal (b)',
    returns: z.null(),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_NO_WAPP_FOUND', 'ERR_OTHER_OPEN_TICKET'],
  },
  draft: {
    summary: 'Guardar o rascunho de quem escreve; vazio apaga. Sobre outra revisão que a informada nada é guardado',
    body: z.strictObject({
      body: z.string().max(20_000),
      isNote: z.boolean().default(false),
      quotedMsgId: uuid.nullish(),
      mail: mailDraft.nullish(),
      /** The version that was written on; 0: none. Without it the last writer wins. */
      revision: z.number().int().min(0).max(2_147_483_647).optional(),
    }),
    returns: ticketDraft,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_FETCH_WAPP_MSG', 'ERR_DRAFT_CHANGED'],
  },
  getDraft: {
    summary: 'O rascunho de quem pede',
    returns: ticketDraft,
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  answer: {
    summary:
      'A quem vai, e com que assunto, a resposta num atendimento por e-mail; `cc` é quem mais a recebe ao responder a todos',
    returns: z.object({ subject: z.string(), to: mailReceivers, cc: mailReceivers }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_CHANNEL_CANNOT'],
  },
  viewers: {
    summary: 'Quem vê o atendimento e quem não vê, com a regra que decidiu para cada um, por nome',
    query: pageQuery,
    returns: z.object({
      people: z.array(z.object({ id: z.number().int(), name: z.string(), visible: z.boolean(), rule: z.string() })),
      ...pageAnswer,
    }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  hidden: {
    summary: 'O que uma busca acharia fora da lista de quem pede, com a regra que o esconde; os mais novos, até cinco',
    query: ticketFilter.extend({ searchParam: z.string().trim().min(1).max(200) }),
    returns: z.object({ tickets: z.array(z.object({ ticket: ticketRow, rule: z.string() })) }),
  },
  follow: {
    summary: 'Seguir um atendimento: mensagens do cliente e mudanças de situação são avisadas a quem segue',
    returns: ticketDetail,
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_FOLLOW_LIMIT'],
  },
  unfollow: {
    summary: 'Deixar de seguir um atendimento',
    returns: ticketDetail,
    errors: ['ERR_NO_TICKET_FOUND'],
  },
  ofContact: {
    summary: 'Os atendimentos de um contato ao alcance de quem pede, do mais novo ao mais antigo',
    query: pageQuery,
    returns: z.object({ tickets: z.array(ticketRow), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
    errors: ['ERR_NO_CONTACT_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

/**
 * What is told about tickets; `gone` is made by the server for those who may no longer see one. `rated`: the customer was
 * asked for a rating (null), or gave this one. `read`: how far the person has read, told to that person alone. `notify`: its people are
 * called to it, because a colleague asks for them or it is no longer snoozed; `due`: because a
 * clock is at risk or over, which was told at `publishedAt` (epoch ms): its ticket may have stood still for long. `detail`: something has changed that no row of
 * the list shows. `draft`: the person wrote on another device, told to that person alone; it begins with `draft`.
 */
export const ticketEvents = events(at.ticketEvents, {
  create: ticketRow,
  update: ticketRow,
  delta: ticketDelta,
  rated: z.object({ id: z.number().int(), evaluation: intOrNull }),
  read: readingPosition.extend({ id: z.number().int() }),
  gone: z.object({ id: z.number().int() }),
  notify: ticketRow,
  due: ticketRow.extend({ clock: z.enum(SLA_CLOCKS), isMissed: z.boolean(), publishedAt: z.number() }),
  detail: z.object({ id: z.number().int() }),
  draft: z.object({ id: z.number().int(), revision: z.number().int(), draft: z.string().nullable() }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    tickets: typeof tickets
  }
  interface Events {
    ticketEvents: typeof ticketEvents
  }
}
