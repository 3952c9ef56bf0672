import { isRetryable, type MessageStatus } from '#domain/messages/status.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { messages } from '../../messages-contract.ts'
import { enqueueSending } from '../outbox/outbox.ts'
import { resolvePending } from '../outbox/resolve-pending.ts'
import { requireVisible } from '../tickets/access.ts'
import { changeTicket } from '../tickets/change.ts'
import { announceStatus } from './announce.ts'
import { exportMessages } from './export.ts'
import { showPresence } from './presence.ts'
import { addTrail, findMessages, lockMessage, trailOf, updateMessage } from './queries.ts'
import { changesAfter } from './read-changes.ts'
import { readContactMessages, readMessages } from './read-messages.ts'
import { searchInMessages } from './search.ts'
import { sendMessages, storeNote } from './send.ts'
import { serializeMessage } from './serializer.ts'

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
    await restate(ctx, message, 'pending', 'retried')
    enqueueSending(ctx, message)
    return answer(ctx, params.id)
  },
  cancel: async (ctx, { params }) => {
    const message = await ownMessage(ctx, params.id)
    if (message.status !== 'pending' && message.status !== 'uncertain' && message.status !== 'failed')
      fail('ERR_SEND_STATE')
    await restate(ctx, message, 'canceled', 'canceled')
    return answer(ctx, params.id)
  },
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
  ofContact: (ctx, { params, query }) => readContactMessages(ctx, params.contactId, query),
  export: (ctx, { params, query }) => exportMessages(ctx, params.ticketId, query.format),
  resolvePending: (ctx) => resolvePending(ctx),
  typing: (ctx, { params, body }) => presence(ctx, params.id, body.state),
  recording: (ctx, { params, body }) => presence(ctx, params.id, body.state),
  paused: (ctx, { params }) => presence(ctx, params.id, 'paused'),
  changes: (ctx, { query }) => changesAfter(ctx, query.after),
})

async function presence(ctx: SlowCtx, ticketId: number, state: 'composing' | 'recording' | 'paused') {
  await showPresence(ctx.platform, ctx.user, ticketId, state)
  return { message: state }
}

// A message of a ticket that the user does not see does not exist for them.
async function visibleMessage(ctx: ReadCtx, ticketId: number): Promise<void> {
  await requireVisible(ctx, ticketId).catch((error: unknown) => {
    throw isInfrastructure(error) ? error : new AppError('ERR_FETCH_WAPP_MSG')
  })
}

async function ownMessage(ctx: Ctx & { user: Actor }, id: string) {
  const message = await lockMessage(ctx.db, id)
  if (!message?.from_me || message.is_note) return fail('ERR_FETCH_WAPP_MSG')
  await visibleMessage(ctx, message.ticket_id)
  return message
}

async function restate(
  ctx: Ctx & { user: Actor },
  message: { id: string; ticket_id: number },
  status: MessageStatus,
  step: string,
): Promise<void> {
  await updateMessage(ctx.db, message.id, { status, error_code: null })
  await addTrail(ctx.db, [{ messageId: message.id, step, detail: { user: ctx.user.name } }])
  const { facts } = await requireVisible(ctx, message.ticket_id)
  announceStatus(ctx, { id: message.id, ticketId: message.ticket_id, status, errorCode: null, isLast: false }, facts)
}

async function answer(ctx: Ctx, id: string) {
  const [row] = await findMessages(ctx.db, [id])
  return serializeMessage(ctx.platform, ctx.tenantId, row!)
}
