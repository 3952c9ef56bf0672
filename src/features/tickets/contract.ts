import { z } from 'zod'
import { recordOf } from '#domain/keys.ts'
import { SWITCH_FIELDS } from '#domain/tickets/assistants.ts'
import { TICKET_STATUSES } from '#domain/tickets/facts.ts'
import { LIST_TABS } from '#domain/tickets/filter.ts'
import * as at from '#features/ledger/addresses.ts'
import { ticketDraft } from '#features/ledger/draft-fields.ts'
import { mailDraft, templateWish } from '#features/ledger/forms.ts'
import { maskReceiver } from '#features/ledger/mask-mail.ts'
import { ticketDetail, ticketRow } from '#features/ledger/ticket-rows.ts'
import { beginning, reached, reachQuery } from '#features/messages/reach-fields.ts'
import { contract } from '#kit/contract.ts'
import { day, flag, id, isoTime, many, onOff, pageAnswer, pageQuery, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'

const status = z.enum(TICKET_STATUSES)

const mailReceivers = hidden(z.array(z.object({ name: z.string(), address: z.string() })), (people) =>
  people.map(maskReceiver),
)

/** Agreed value of a ticket, in the wire format of money; null for none. */
export const ticketValue = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, 'Informe um valor como 1234.56.')
  .nullable()

const statuses = many(status)

/** Maximum of `waitingMinutes`: thirty days. */
const MOST_WAITING_MINUTES = 43_200

/**
 * Query of the attendance list (specification §3); arrays as repeated parameters. `tab` and `isGroup` select the list's tabs
 * ('live': open and pending).
 */
export const ticketFilter = pageQuery.extend({
  tab: z.enum(LIST_TABS).optional(),
  isGroup: flag,
  /** Exact queue or owner ('none': without); like the tabs, it applies even with show-all. */
  onlyQueue: z.union([z.literal('none'), id]).optional(),
  onlyUser: z.union([z.literal('none'), id]).optional(),
  /** Only tickets closed since midnight in the company's time zone. */
  closedToday: flag,
  /** Sorts the oldest first. */
  oldestFirst: flag,
  /** Lists tickets whose customer waits for a reply first. */
  unansweredFirst: flag,
  /** Lists pending tickets before open ones. */
  pendingFirst: flag,
  /** Lists tickets with a running SLA clock first, by due time; the others follow in the usual order. */
  dueFirst: flag,
  /** Only tickets with an SLA clock at risk or missed, by due time. */
  sla: z.enum(['warned', 'missed']).optional(),
  /** Only tickets whose customer has waited for a reply at least this long. */
  waitingMinutes: z.coerce.number<number | string>().int().min(1).max(MOST_WAITING_MINUTES).optional(),
  /** Only tickets whose last message lies within these days in the company's time zone; sorts by last message. */
  from: day.optional(),
  to: day.optional(),
  /** Defaults to open and pending; an empty `status=` matches none. */
  status: z.preprocess((v: z.input<typeof statuses> | '') => (v === '' ? [] : v), statuses),
  showAll: flag,
  /** If on, the response includes the counters of the tabs. */
  count: flag,
  queuesIds: many(id),
  whatsappIds: many(id),
  selectedUser: id.optional(),
  tags: many(id),
  kanban: many(id),
  withUnreadMessages: flag,
  isNotAssignedUser: flag,
  includeNotQueueDefined: flag,
  /** 'mine': tickets of the viewer; 'waiting': tickets whose customer waits for a reply. */
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

/** API contract of tickets: list, detail and moves. */
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
          /** Reason of a pause; end of a snooze. */
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
    /** Colleague to explain for; leads only, for tickets that they see themselves. */
    query: z.object({ userId: id.optional() }),
    returns: z.object({
      visible: z.boolean(),
      rule: z.string(),
      /** Tab of the ticket, the same for all viewers. */
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
      /** Template that starts the conversation where the window is closed. */
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
      ...recordOf(SWITCH_FIELDS, () => onOff.optional()),
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
      /** Draft revision that the change is based on; 0: none. Without it the last write wins. */
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

declare module '#kit/contract.ts' {
  interface Contracts {
    tickets: typeof tickets
  }
}
