import type { ActType } from '#domain/messages/acts.ts'
import { mailOf } from '#domain/messages/mail.ts'
import { isRetryable } from '#domain/messages/status.ts'
import { findMessages, lockMessage, trailOf, updateMessage } from '#features/ledger/server/messages/index.ts'
import { enqueueSending, resolvePending } from '#features/ledger/server/outbox/index.ts'
import { messages } from '#features/messages/contract.ts'
import {
  answer,
  cancelMessage,
  changeNote,
  deleteMessage,
  editMessage,
  reactToMessage,
  requireOwn,
  restate,
  retryOrCancelActs,
} from '#features/messages/server/acts/index.ts'
import { listMentionable } from '#features/messages/server/mentions/index.ts'
import { showPresence } from '#features/messages/server/presence/index.ts'
import {
  askForMedia,
  changesAfter,
  exportMessages,
  formattedUrl,
  readContactMessages,
  readMessages,
  searchInMessages,
} from '#features/messages/server/read/index.ts'
import {
  checkBody,
  interactiveOf,
  type SendInput,
  sendMessages,
  sendWithin,
  storeNote,
} from '#features/messages/server/send/index.ts'
import { bodyToSend, changeWaiting } from '#features/schedules/server/index.ts'
import { changeTicket } from '#features/tickets/server/change/index.ts'
import { setPinned } from '#features/tickets/server/pins/index.ts'
import { requireVisible, requireVisibleMessage } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { sendDirectly } from './direct.ts'
import { forwardMessages } from './forward.ts'

const stepLabels: Readonly<Record<string, string>> = {
  accepted: 'Aceita pelo Guichê',
  attempt: 'Entregue ao canal',
  waiting: 'O canal não respondeu; vai de novo',
  unanswered: 'A resposta do canal se perdeu; espera a confirmação',
  sent: 'O canal confirmou o envio',
  delivered: 'Chegou ao aparelho',
  read: 'Foi lida',
  played: 'Foi ouvida',
  'delivered:member': 'Chegou a um participante',
  'read:member': 'Lida por um participante',
  'played:member': 'Ouvida por um participante',
  failed: 'Não saiu',
  uncertain: 'O canal não confirmou',
  retried: 'Enviada de novo a pedido',
  canceled: 'Cancelada',
  scheduled: 'Agendada',
  rescheduled: 'Agendamento alterado',
  late: 'Cancelada: passou mais de uma hora do horário',
  answered: 'Cancelada: o cliente respondeu antes',
  'mail:sending': 'O visitante saiu: vai por e-mail',
  'mail:sent': 'Foi por e-mail',
  'mail:waiting': 'O servidor de e-mail não respondeu; vai de novo',
  'mail:failed': 'O e-mail não chegou',
  'mail:uncertain': 'Não se sabe se o e-mail saiu',
  'mail:answered': 'Uma resposta automática chegou ao e-mail',
  pinned: 'Fixada',
  unpinned: 'Desafixada',
}

const ofActs: Readonly<Record<ActType, Readonly<Record<string, string>>>> = {
  edit: {
    wanted: 'Edição pedida',
    waiting: 'O canal não respondeu; a edição vai de novo',
    sent: 'Editada',
    failed: 'O canal não aceitou a edição',
    canceled: 'A edição não foi feita',
    retried: 'A edição vai de novo a pedido',
    received: 'Editada pelo contato',
    phone: 'Editada no celular',
  },
  revoke: {
    wanted: 'Exclusão pedida',
    waiting: 'O canal não respondeu; a exclusão vai de novo',
    sent: 'Apagada',
    failed: 'O canal não aceitou apagar',
    canceled: 'Não foi apagada',
    retried: 'A exclusão vai de novo a pedido',
    received: 'Apagada pelo contato',
    phone: 'Apagada no celular',
  },
  react: {
    wanted: 'Reação escolhida',
    waiting: 'O canal não respondeu; a reação vai de novo',
    sent: 'Reação entregue ao canal',
    failed: 'O canal não aceitou a reação',
    canceled: 'A reação não foi feita',
    retried: 'A reação vai de novo a pedido',
    received: 'Reação do contato',
    phone: 'Reação dada no celular',
  },
}
const actLabels: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ofActs).flatMap(([type, steps]) =>
    Object.entries(steps).map(([step, label]) => [step === 'wanted' ? type : `${type}:${step}`, label]),
  ),
)

/** Route handlers of messages. */
export const messageRoutes = implement(messages, {
  list: (ctx, { params, query }) => readMessages(ctx, params.ticketId, query),
  send: (ctx, { params, body, files }) =>
    sendMessages(ctx.platform, ctx.user, { ticketId: params.ticketId, ...body, files }),
  transfer: async (ctx, { params, body: { note, idFront, ...to } }) => {
    await requireVisible(ctx, params.id)
    const moved = await changeTicket(ctx, params.id, { isTransference: true, ...to })
    await storeNote(ctx, { ticketId: params.id, idFront, body: note })
    return moved
  },
  retry: async (ctx, { params }) => {
    const message = await actable(ctx, params.id)
    if (await retryOrCancelActs(ctx, message, 'pending')) return answer(ctx, params.id)
    requireOwn(message)
    if (!isRetryable(message.status)) fail('ERR_SEND_STATE')
    const body = await bodyToSend(ctx, message)
    if (body !== message.body) checkBody((await requireVisible(ctx, message.ticket_id)).row, body)
    // Sent now at a person's request, in spite of its schedule.
    await updateMessage(ctx.db, message.id, { body, schedule_date: null, send_at: null })
    await restate(ctx, message, 'pending', 'retried')
    enqueueSending(ctx, message)
    return answer(ctx, params.id)
  },
  cancel: async (ctx, { params }) => {
    const message = await actable(ctx, params.id)
    if (await retryOrCancelActs(ctx, message, 'canceled')) return answer(ctx, params.id)
    requireOwn(message)
    await cancelMessage(ctx, message)
    return answer(ctx, params.id)
  },
  formatted: async (ctx, { params }) => {
    const [message] = await findMessages(ctx.db, [params.id])
    if (!message) return fail('ERR_FETCH_WAPP_MSG')
    await requireVisibleMessage(ctx, message.ticket_id)
    const isShown = mailOf(message.data)?.hasHtml && !message.is_deleted && !ctx.user.restrictedUser
    if (!isShown) return fail('ERR_FETCH_WAPP_MSG')
    return { url: formattedUrl(ctx.platform, ctx.tenantId, params.id) }
  },
  trail: async (ctx, { params, query }) => {
    const [message] = await findMessages(ctx.db, [params.id])
    if (!message) return fail('ERR_FETCH_WAPP_MSG')
    await requireVisibleMessage(ctx, message.ticket_id)
    const { after, limit } = exactPageStartOf<[number]>({ pageNumber: 1, ...query }, 1)
    const found = await trailOf(ctx.db, params.id, after?.[0] ?? 0, limit)
    const { rows: steps, paging } = pageOf(found, ({ id }) => [id])
    const received =
      message.from_me || after
        ? []
        : [{ step: 'received', label: 'Recebida do canal', at: message.created_at, detail: {} }]
    return {
      steps: [
        ...received,
        ...steps.map((step) => ({
          step: step.step,
          label: stepLabels[step.step] ?? actLabels[step.step] ?? step.step,
          at: step.at,
          detail: {
            ...shownDetail(ctx.user, step.detail),
            ...(step.text === null ? {} : { text: step.text }),
          },
        })),
      ],
      ...paging,
    }
  },
  search: (ctx, { query }) => searchInMessages(ctx, query),
  ofContact: (ctx, { params, query }) => readContactMessages(ctx, params.contactId, query),
  export: (ctx, { params, query }) => exportMessages(ctx, params.ticketId, query.format),
  resolvePending: (ctx) => resolvePending(ctx),
  typing: (ctx, { params, body }) => presence(ctx, params.id, body.state),
  recording: (ctx, { params, body }) => presence(ctx, params.id, body.state),
  paused: (ctx, { params }) => presence(ctx, params.id, 'paused'),
  changes: (ctx, { query }) => changesAfter(ctx, query.after),
  edit: (ctx, { body }) => editMessage(ctx, body),
  change: async (ctx, { params: { id }, body }) => {
    const [message] = await findMessages(ctx.db, [id])
    if (message?.is_note) return changeNote(ctx, id, body)
    const { mentionedUsers, mentionedTeams, ...rest } = body
    if (mentionedUsers || mentionedTeams)
      fail('ERR_VALIDATION', { mentionedUsers: 'Só notas internas mencionam colegas.' })
    return changeWaiting(ctx, id, rest)
  },
  remove: (ctx, { body }) => deleteMessage(ctx, body),
  react: (ctx, { body }) => reactToMessage(ctx, body),
  card: (ctx, { params, body: { contact, idFront } }) =>
    sendSpecial(ctx, {
      ticketId: params.ticketId,
      idFront,
      mediaType: 'contact',
      body: contact.fullName,
      data: contact,
    }),
  location: (ctx, { params, body: { location, idFront } }) =>
    sendSpecial(ctx, {
      ...{ ticketId: params.ticketId, idFront, mediaType: 'location' },
      body: location.name ?? '',
      data: location,
    }),
  buttons: (ctx, { body }) => sendSpecial(ctx, interactiveOf(body)),
  poll: (ctx, { body: { ticketId, body, options, many, idFront } }) =>
    sendSpecial(ctx, { ticketId, idFront, mediaType: 'poll', body, data: { poll: { options, many } } }),
  forward: (ctx, { body }) => forwardMessages(ctx, body),
  direct: (ctx, { body, files }) => sendDirectly(ctx, body, files),
  pin: (ctx, { params }) => setPinned(ctx, params.id, true),
  unpin: (ctx, { params }) => setPinned(ctx, params.id, false),
  mentionable: (ctx, { params, query }) => listMentionable(ctx, params.ticketId, query),
  media: (ctx, { params }) => askForMedia(ctx, params.id),
})

// Provider texts are for administrators only (decision A17).
const shownDetail = ({ profile }: Actor, { providerText, ...detail }: { providerText?: string }): object =>
  providerText && profile !== 'user' ? { ...detail, providerText } : detail

const sendSpecial = (ctx: Ctx & { user: Actor }, input: Special) =>
  sendWithin(ctx, { ...input, idFront: input.idFront ?? ctx.newId(), isNote: false, files: [] })
type Special = { ticketId: number; idFront: string | undefined; body: string } & Required<
  Pick<SendInput, 'mediaType'>
> &
  Pick<SendInput, 'data'>

async function presence(ctx: SlowCtx, ticketId: number, state: 'composing' | 'recording' | 'paused') {
  await showPresence(ctx.platform, ctx.user, ticketId, state)
  return { message: state }
}

async function actable(ctx: Ctx & { user: Actor }, id: string) {
  const message = await lockMessage(ctx.db, id)
  if (!message || message.is_note) return fail('ERR_FETCH_WAPP_MSG')
  await requireVisibleMessage(ctx, message.ticket_id)
  return message
}
