import { isRetryable, type MessageStatus } from '#domain/messages/status.ts'
import { fail } from '#kit/errors.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { messages } from '../../messages-contract.ts'
import { enqueueSending } from '../outbox/outbox.ts'
import { requireVisible } from '../tickets/access.ts'
import { changeTicket } from '../tickets/change.ts'
import { answer, cancelMessage, ownMessage, restate, visibleMessage } from './own.ts'
import { showPresence } from './presence.ts'
import { findMessages, trailOf, updateMessage } from './queries.ts'
import { changesAfter } from './read-changes.ts'
import { readMessages, searchInMessages } from './read-messages.ts'
import { sendMessages, storeNote } from './send.ts'

const stepLabels: Readonly<Record<string, string>> = {
  accepted: 'Aceita pelo Guichê',
  attempt: 'Entregue ao canal',
  waiting: 'O canal não respondeu; vai de novo',
  sent: 'O canal confirmou o envio',
  delivered: 'Chegou ao aparelho',
  read: 'Foi lida',
  played: 'Foi ouvida',
  failed: 'Não saiu',
  uncertain: 'O canal não confirmou',
  retried: 'Enviada de novo a pedido',
  canceled: 'Cancelada',
  scheduled: 'Agendada',
  rescheduled: 'Agendamento alterado',
  late: 'Cancelada: passou mais de uma hora do horário',
  answered: 'Cancelada: o cliente respondeu antes',
}

/** The operations on messages. */
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
    const message = await ownMessage(ctx, params.id)
    if (!isRetryable(message.status as MessageStatus)) fail('ERR_SEND_STATE')
    // Asked for by a person it goes now, whenever it was to go.
    await updateMessage(ctx.db, message.id, { schedule_date: null, send_at: null })
    await restate(ctx, message, 'pending', 'retried')
    enqueueSending(ctx, message)
    return answer(ctx, params.id)
  },
  cancel: (ctx, { params }) => cancelMessage(ctx, params.id),
  trail: async (ctx, { params, query }) => {
    const [message] = await findMessages(ctx.db, [params.id])
    if (!message) return fail('ERR_FETCH_WAPP_MSG')
    await visibleMessage(ctx, message.ticket_id)
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
          label: stepLabels[step.step] ?? step.step,
          at: step.at,
          detail: step.detail as Record<string, unknown>,
        })),
      ],
      ...paging,
    }
  },
  search: (ctx, { query }) => searchInMessages(ctx, query),
  typing: (ctx, { params, body }) => presence(ctx, params.id, body.state),
  recording: (ctx, { params, body }) => presence(ctx, params.id, body.state),
  paused: (ctx, { params }) => presence(ctx, params.id, 'paused'),
  changes: (ctx, { query }) => changesAfter(ctx, query.after),
})

async function presence(ctx: SlowCtx, ticketId: number, state: 'composing' | 'recording' | 'paused') {
  await showPresence(ctx.platform, ctx.user, ticketId, state)
  return { message: state }
}
