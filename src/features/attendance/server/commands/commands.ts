import { readFlow } from '#domain/flow/read.ts'
import { changeChannel, notify, pause, resume, toChatFlow } from '#domain/tickets/commands.ts'
import type { Outcome } from '#domain/tickets/transitions.ts'
import {
  activeIdsOf,
  clearSessions,
  clearUnread,
  connectionsByFlow,
  findChatFlow,
  listChatFlows,
  startersByFlow,
  unreadIds,
} from '#features/ledger/server/commands/index.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { deltaOf, factsOf, findConnection, loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { ticketsById } from '#features/ledger/server/sets/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { answer, commandOf, type Detail, saveMove, stateOf } from '#features/tickets/server/change/index.ts'
import { renotify } from '#features/tickets/server/notifications/index.ts'
import { mendJob, requireConnection, targetsOn } from '#features/tickets/server/sets/index.ts'
import { type KnownTicket, lockVisible, requireVisible } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { may } from '#server/actors.ts'
import type { UserCtx } from '#server/bulk/kind.ts'
import { previewBulk, startBulk } from '#server/bulk/work.ts'
import { unit } from '#server/context.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { ticketsKind } from '../bulk/bulk.ts'

type Bulk = Returned<typeof ticketCommands.readAll>

/** Performs a command on a ticket that the user may see: decides, writes and publishes. */
async function perform(ctx: UserCtx, ticketId: number, decide: (known: KnownTicket) => Outcome): Promise<Detail> {
  const known = await lockVisible(ctx, ticketId)
  return answer(ctx, known, await saveMove(ctx, known, decide(known)))
}

async function startFlow(ctx: UserCtx, ticketId: number, chatFlowId: number): Promise<Detail> {
  await requireVisible(ctx, ticketId)
  const { id, definition } = required(await findChatFlow(ctx.db, chatFlowId), 'ERR_NO_CHAT_FLOW_FOUND')
  const flow = { id, firstNode: readFlow(definition).firstNode }
  const known = await lockVisible(ctx, ticketId)
  const isMoved = await saveMove(ctx, known, toChatFlow(stateOf(known.row), { ...commandOf(ctx), flow }))
  await runHooks(ctx, 'onChatFlow', [{ ticketId, chatFlowId }])
  return answer(ctx, known, isMoved)
}

async function goOnOver(
  ctx: UserCtx,
  ticketId: number,
  { whatsappId, channel }: Input<typeof ticketCommands.changeChannel>['body'],
): Promise<Detail> {
  const known = await lockVisible(ctx, ticketId)
  const { row } = known
  const connection = await requireConnection(ctx, whatsappId, channel)
  const target = (await targetsOn(ctx, connection, [row])).get(ticketId) ?? null
  const outcome = changeChannel(stateOf(row), { ...commandOf(ctx), target })
  const isOurs =
    !target ||
    typeof outcome === 'string' ||
    (await contactBook().claim(ctx.db, row.contact_id, target.channel, target.conversationKey))
  return answer(ctx, known, await saveMove(ctx, known, isOurs ? outcome : 'ERR_NO_ADDRESS', target ?? undefined))
}

async function moveConnection(ctx: UserCtx, body: Input<typeof ticketCommands.moveChannel>['body']): Promise<Bulk> {
  const { whatsappId, newWhatsappId, channel, newChannel, processAll, limit = 100, offset = 0, tenantId, dryRun } = body
  if (tenantId !== undefined && tenantId !== ctx.tenantId) fail('ERR_NO_PERMISSION')
  const from = await requireConnection(ctx, whatsappId, channel)
  await requireConnection(ctx, newWhatsappId, newChannel)
  const ids = await activeIdsOf(ctx.db, from.id, processAll ? null : { offset, limit })
  const act = { action: 'channel', args: { whatsappId: newWhatsappId } }
  return (dryRun ? previewBulk : startBulk)(ctx, ticketsKind, act, ids)
}

async function callOwner(ctx: UserCtx, ticketId: number): Promise<{ notified: number }> {
  const { row, facts } = await lockVisible(ctx, ticketId)
  const refusal = notify(stateOf(row))
  if (typeof refusal === 'string') fail(refusal)
  const people = [...(row.user_id === null ? [] : [row.user_id]), ...(facts.isGroup ? facts.groupUserIds : [])]
  const notified = await renotify(ctx, ticketId, [...new Set(people)])
  const loaded = (await loadTicketRows(ctx.db, [ticketId], ctx)).get(ticketId)
  if (loaded && notified.length > 0)
    ctx.emit(ticketEvents.notify, { ...loaded.row, draft: null }, { kind: 'users', ids: notified })
  return { notified: notified.length }
}

async function clearMemory(
  ctx: UserCtx,
  query: Input<typeof ticketCommands.clear>['query'],
): Promise<{ cleared: number }> {
  const { ticketId, whatsappId } = query
  if (ticketId !== undefined && whatsappId === undefined) {
    await requireVisible(ctx, ticketId)
    return { cleared: await clearSessions(ctx.db, { ticketId }) }
  }
  if (whatsappId === undefined || ticketId !== undefined)
    return fail('ERR_VALIDATION', { ticketId: 'Informe o atendimento ou o canal.' })
  if (!may(ctx.user, ctx.settings, 'tickets:maintain')) fail('ERR_NO_PERMISSION')
  const { id: connectionId } = required(await findConnection(ctx.db, whatsappId), 'ERR_NO_WAPP_FOUND')
  return { cleared: await clearSessions(ctx.db, { connectionId }) }
}

const readAll = async (ctx: UserCtx): Promise<Bulk> =>
  startBulk(ctx, ticketsKind, { action: 'read', args: {} }, await unreadIds(ctx.db, null))

async function readOwn(ctx: UserCtx): Promise<{ message: string; count: number }> {
  const locked = await ticketsById(ctx.db, await unreadIds(ctx.db, ctx.user.id), true)
  // Before the lock another user may have taken it, or its owner read it.
  const own = [...locked.values()].filter((row) => row.user_id === ctx.user.id && row.unread_messages > 0)
  if (own.length > 0)
    await clearUnread(
      ctx.db,
      own.map(({ id }) => id),
    )
  for (const row of own) {
    const after = { ...row, unread_messages: 0 }
    const audience = { kind: 'ticket', ticketId: row.id, before: factsOf(row), after: factsOf(after) } as const
    ctx.emit(ticketEvents.delta, deltaOf(after), audience)
  }
  const read = own.map(({ id, connection_id, conversation_key }) => {
    return { ticketId: id, connectionId: connection_id, conversationKey: conversation_key }
  })
  await runHooks(ctx, 'onRead', read)
  return {
    message: own.length === 0 ? 'Nada a marcar como lido.' : 'Mensagens marcadas como lidas.',
    count: own.length,
  }
}

// Older clients call it by GET, although it writes (decision A11).
const writing = <T>({ platform, tenantId, user }: SlowCtx, work: (ctx: UserCtx) => Promise<T>): Promise<T> =>
  unit(platform, { tenantId, user }, (ctx) => work({ ...ctx, user }))

/** Route handlers of ticket commands other than moves. */
export const ticketCommandRoutes = implement(ticketCommands, {
  toChatFlow: (ctx, { params, body }) => startFlow(ctx, params.id, body.chatFlowId),
  changeChannel: (ctx, { params, body }) => goOnOver(ctx, params.id, body),
  moveChannel: (ctx, { body }) => moveConnection(ctx, body),
  pause: (ctx, { params, body }) =>
    perform(ctx, params.id, ({ row }) => pause(stateOf(row), commandOf(ctx), body.reason)),
  resume: (ctx, { params }) => perform(ctx, params.id, ({ row }) => resume(stateOf(row), commandOf(ctx))),
  notify: (ctx, { params }) => callOwner(ctx, params.id),
  clear: (ctx, { query }) => clearMemory(ctx, query),
  clearByGet: (ctx, { query }) => writing(ctx, (inner) => clearMemory(inner, query)),
  readAll,
  readAllByGet: (ctx) => writing(ctx, readAll),
  readOwn,
  mendDates: (ctx) => {
    ctx.enqueue(mendJob, {}, { key: `tickets:mend:${ctx.tenantId}` })
    return { message: 'As datas dos atendimentos estão sendo conferidas.' }
  },
  chatFlows: async (ctx) => {
    const mayChange = may(ctx.user, ctx.settings, 'flows:write')
    const flows = await listChatFlows(ctx.db, mayChange)
    if (!mayChange) return { chatFlow: flows.map(({ id, name, is_active: isActive }) => ({ id, name, isActive })) }
    const used = await connectionsByFlow(ctx.db)
    const started = await startersByFlow(ctx.db)
    const ofCompany = Number(ctx.settings.values.botTicketActive)
    return {
      chatFlow: flows.map(({ id, name, is_active: isActive, keyword, ...row }) => ({
        ...{ id, name, isActive, celularTeste: row.test_number, version: row.published_version },
        ...(row.is_unpublished === undefined ? {} : { isUnpublished: row.is_unpublished }),
        ...{ connections: used.get(id) ?? [], flows: started.get(id) ?? [], isDefault: id === ofCompany, keyword },
        startsOn: row.starts_on || null,
      })),
    }
  },
})
