import { momentOfAppointment } from '#domain/flow/appointment.ts'
import { type Direction, type FlowMedia, UNDIRECTED } from '#domain/flow/flow.ts'
import { type FlowEffect, type FlowSession, numberOf } from '#domain/flow/session.ts'
import { scheduleProblem } from '#domain/messages/schedule.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { lookUp } from '#domain/present.ts'
import { cutText } from '#domain/text.ts'
import type { TicketLog } from '#domain/tickets/logs.ts'
import { change, NO_FLOW, type TicketState } from '#domain/tickets/transitions.ts'
import { askForFlow, phoneCallJob } from '#features/assistants/server/index.ts'
import { setChatbotBlocked } from '#features/contacts/server/index.ts'
import { saveFlowPositions } from '#features/ledger/server/commands/index.ts'
import { enqueueDue } from '#features/ledger/server/scheduled/index.ts'
import { changeTags } from '#features/ledger/server/sets/index.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { noteTurns } from '#features/ledger/server/turns/index.ts'
import { type MessageDraft, writeMessages } from '#features/ledger/server/writing/index.ts'
import { openJobValue } from '#features/tickets/server/actions/index.ts'
import { isOffered, moveUnattended } from '#features/tickets/server/change/index.ts'
import { findTarget } from '#features/tickets/server/sets/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { callJob, eventJob, smsJob, stageJob, timerJob } from './job-values.ts'
import { type FlowFile, findFlowFiles } from './queries-media.ts'
import { findSituations, mayReceive, receiversOf, type SessionStep } from './queries-sessions.ts'

type Effect<T extends FlowEffect['type']> = Extract<FlowEffect, { type: T }>
type End = Pick<Effect<'direct'>, 'direction' | 'userId' | 'log' | 'reason'>

const only = <T extends FlowEffect['type']>(effects: readonly FlowEffect[], type: T): Effect<T>[] =>
  effects.filter((effect): effect is Effect<T> => effect.type === type)

/** Outcome of a flow step: the session's new state, and the effects on its ticket, which the caller has locked. */
export type Outcome = {
  readonly ticket: LedgerTicket
  readonly session: FlowSession
  readonly effects: readonly FlowEffect[]
}

/**
 * Performs the effects of flows on their tickets (each ticket at most once). Messages use the effect's id as `idFront` and
 * jobs as key, so that repeats have no further effect. The end is performed last.
 */
export async function carryOut(ctx: Ctx, outcomes: readonly Outcome[]): Promise<void> {
  const media = outcomes.flatMap(({ effects }) =>
    [...only(effects, 'media'), ...only(effects, 'schedule')].flatMap((effect) => effect.media?.fileId ?? []),
  )
  const files = new Map((await findFlowFiles(ctx.db, media)).map((file) => [file.id, file]))
  const drafts = outcomes.flatMap(({ ticket, effects }) =>
    effects.flatMap((one) => draftOf(ctx, ticket, one, files) ?? []),
  )
  const staying = outcomes.filter(isStaying)
  await Promise.all([
    drafts.length > 0 && writeMessages(ctx, drafts),
    saveFlowPositions(ctx.db, new Map(staying.map(({ ticket, session }) => [ticket.id, session]))),
  ])
  enqueueDue(
    ctx,
    drafts.flatMap(({ sendAt }) => sendAt ?? []),
  )
  for (const outcome of outcomes) await carryOutSilent(ctx, outcome)
}

/** Checks whether a ticket only moves within its flow. A resolved ticket stays resolved. */
const isStaying = ({ ticket, session, effects }: Outcome): boolean =>
  ticket.status !== 'closed' &&
  session.end === null &&
  session.chatFlowId === ticket.chat_flow_id &&
  only(effects, 'reason').length === 0

// Performs all effects except messages, and stores the ticket's position in its flow.
async function carryOutSilent(ctx: Ctx, outcome: Outcome): Promise<void> {
  const { ticket, session, effects } = outcome
  const sessionId = session.id
  const tagIds = only(effects, 'tag').map(({ tagId }) => tagId)
  if (tagIds.length > 0) await changeTags(ctx.db, { ids: [ticket.id], add: tagIds, remove: [] })
  const block = only(effects, 'block').at(-1)
  if (block) await setChatbotBlocked(ctx.db, ticket.contact_id, block.isBlocked)
  for (const { id, kanban } of only(effects, 'stage'))
    ctx.enqueue(stageJob, { contactId: ticket.contact_id, kanban }, { key: keyOf(ctx, id) })
  for (const { id, type: _, forecast, ...card } of only(effects, 'opportunity'))
    ctx.enqueue(
      openJobValue,
      { wish: `flow:${id}`, ticketId: ticket.id, contactId: ticket.contact_id, ...forecast, ...card },
      { key: keyOf(ctx, id) },
    )
  for (const { id, type: _, ...sms } of only(effects, 'textMessage'))
    ctx.enqueue(
      smsJob,
      { smsId: id, ticketId: ticket.id, contactId: ticket.contact_id, ...sms },
      { key: keyOf(ctx, id) },
    )
  for (const { id, type: _, ...event } of only(effects, 'calendarEvent'))
    ctx.enqueue(
      eventJob,
      { effectId: id, ticketId: ticket.id, at: ctx.now.getTime(), ...event, attendees: [...event.attendees] },
      { key: keyOf(ctx, id) },
    )
  for (const { id, at } of only(effects, 'timer'))
    ctx.enqueue(timerJob, { sessionId, timerId: id }, { key: keyOf(ctx, id), runAt: new Date(at) })
  for (const { id, call, values } of only(effects, 'call'))
    ctx.enqueue(callJob, { sessionId, callId: id, of: call, values, tries: 0 }, { key: keyOf(ctx, id) })
  for (const { id, type: _, ...asked } of only(effects, 'assistant'))
    await askForFlow(ctx, { ...asked, ticketId: ticket.id, sessionId, callId: id })
  for (const { id, type: _, ...wish } of only(effects, 'phoneCall'))
    ctx.enqueue(phoneCallJob, { callId: id, ticketId: ticket.id, ...wish }, { key: keyOf(ctx, id) })
  if (ticket.status === 'closed' || isStaying(outcome)) return
  const reason = await reasonOf(ctx, effects)
  const { chatFlowId, nodeId, retries } = session
  // An agent wrote without taking the ticket: the flow releases it.
  const isLetGo = session.end === 'person' && ticket.status === 'pending' && ticket.chat_flow_id === chatFlowId
  const end = only(effects, 'direct')[0] ?? (isLetGo ? LET_GO : undefined)
  if (end) return carryOutEnd(ctx, ticket, end, reason)
  if (session.end !== null) return
  const wanted = { chatFlowId, chatFlowNode: nodeId, botRetries: retries, ...reason }
  await moveUnattended(ctx, [ticket.id], (state) => change(state, wanted, { by: null, at: ctx.now.getTime() }, []))
}

const LET_GO: End = { direction: UNDIRECTED, userId: null, log: 'queue', reason: '' }

/** Returns the steps of an outcome as stored; `begins`: the session enters this flow with them. */
export const stepsIn = (
  { session, effects }: { readonly session: FlowSession; readonly effects: readonly FlowEffect[] },
  begins: boolean,
): SessionStep[] =>
  only(effects, 'step').map(({ id, nodeId, why, isEntry = false, branch, cause }, index) => ({
    ...{ sessionId: session.id, number: numberOf(id), chatFlowId: session.chatFlowId, version: session.version },
    ...{ begins: begins && index === 0, nodeId, why, isEntry, branch, cause },
  }))

/** Returns the conversation's new reason; null if the company no longer offers it. */
async function reasonOf({ db }: Ctx, effects: readonly FlowEffect[]): Promise<Pick<TicketState, 'reasonId'> | null> {
  const reason = only(effects, 'reason').at(-1)
  return reason && (await isOffered(db, reason.reasonId)) ? { reasonId: reason.reasonId } : null
}

const keyOf = ({ tenantId }: Pick<Ctx, 'tenantId'>, id: string): string => `flow:${tenantId}:${id}`

/** Truncates a text to the channel's limit, because a longer one would be refused as a whole. */
export function fitting(channel: string, body: string): string {
  const { maxTextLength, maxTextBytes } = capabilitiesOf(channel)
  const text = cutText(body, maxTextLength)
  // Decoding as a stream drops an incomplete character at the end.
  return maxTextBytes === null
    ? text
    : new TextDecoder().decode(Buffer.from(text).subarray(0, maxTextBytes), { stream: true })
}

function draftOf(
  ctx: Ctx,
  ticket: LedgerTicket,
  effect: FlowEffect,
  files: ReadonlyMap<string, FlowFile>,
): MessageDraft | null {
  const bot = { ticket, source: 'bot', sendType: 'bot', idFront: effect.id } as const
  if (effect.type === 'note') return { ...bot, isNote: true, mediaType: 'note', body: effect.text }
  const refused = (body: string) => ({ ...bot, isNote: true, mediaType: 'note', body }) as const
  const withFile = ({ fileId, name }: FlowMedia) => {
    const file = files.get(fileId ?? '')
    const mediaType = typeOfMime(file?.mime ?? '')
    const limit = capabilitiesOf(ticket.channel).files[mediaType]
    if (file && limit && file.size <= limit.maxBytes) return { mediaType, fileId: file.id }
    return `O fluxo não enviou o arquivo “${file?.name ?? name}”: o canal não o aceita.`
  }
  if (effect.type === 'media') {
    const file = withFile(effect.media)
    return typeof file === 'string' ? refused(file) : { ...bot, ...file, body: effect.media.caption }
  }
  if (effect.type === 'schedule') {
    const now = ctx.now.getTime()
    const date = momentOfAppointment(effect.when, now, ctx.settings.timezone)
    const problem = date === null ? 'Falta o horário.' : scheduleProblem(date, now)
    if (date === null || problem) return refused(`O fluxo não agendou a mensagem. ${problem}`)
    const file = effect.media ? withFile(effect.media) : { mediaType: 'text' as const }
    if (typeof file === 'string') return refused(file)
    const schedule = { date, cancelOnReply: false, repeat: null, repeatFrom: null }
    const body = fitting(ticket.channel, effect.body)
    return { ...bot, source: 'schedule', sendType: 'schedule', ...file, body, sendAt: date, schedule }
  }
  if (effect.type !== 'send') return null
  const body = fitting(ticket.channel, effect.body)
  if (effect.list) return { ...bot, mediaType: 'list', body, data: { list: effect.list } }
  if (effect.buttons.length === 0) return { ...bot, mediaType: 'text', body }
  const buttons = effect.buttons.map((text, index) => ({ id: String(index + 1), text }))
  return { ...bot, mediaType: 'buttons', body, data: { buttons } }
}

/** Ends the flow in its ticket: passes it to people, resolves it, or moves it to another connection. */
async function carryOutEnd(
  ctx: Ctx,
  ticket: LedgerTicket,
  end: End,
  about: Partial<TicketState> | null,
): Promise<void> {
  const { wanted, log, reason } = await destination(ctx, ticket, end)
  const at = ctx.now.getTime()
  if (wanted.status === 'open' && wanted.userId) await noteTurns(ctx.db, [wanted.userId])
  const data = reason === '' ? {} : { data: { reason } }
  await moveUnattended(ctx, [ticket.id], (state) => {
    const moved = change(state, { ...wanted, ...NO_FLOW, ...about }, { by: null, at }, [log])
    return { ...moved, logs: moved.logs.map((one) => ({ ...one, ...data })) }
  })
}

type Destination = {
  readonly wanted: Partial<TicketState>
  readonly log: TicketLog['type']
  readonly reason: string
}

async function destination(ctx: Ctx, ticket: LedgerTicket, end: End): Promise<Destination> {
  const { direction, userId, log, reason } = end
  const at = ctx.now.getTime()
  if (direction.to === 'close') return { wanted: { status: 'closed', closedAt: at }, log, reason }
  if (direction.to === 'channel') return toChannel(ctx, ticket, direction, end)
  const queueId = direction.to === 'queue' ? direction.queueId : null
  const isThere = await mayReceive(ctx.db, { queueId, userId })
  if (direction.to === 'user') {
    if (isThere.user) return { wanted: { status: 'pending', userId, queueId: null }, log, reason }
    return undirected(ctx, ticket, reason || 'O usuário que o fluxo indica não está mais aqui.')
  }
  if (!isThere.queue) {
    return undirected(ctx, ticket, reason || (queueId === null ? '' : 'A fila que o fluxo indica não existe mais.'))
  }
  if (userId === null || !isThere.user) return { wanted: { status: 'pending', userId: null, queueId }, log, reason }
  return { wanted: { status: 'open', userId, queueId, startedAttendanceAt: at }, log, reason }
}

/** Returns the destination of the connection: its queue and user. */
async function undirected(ctx: Ctx, ticket: LedgerTicket, reason: string): Promise<Destination> {
  const { queueId, userId } = lookUp(await findSituations(ctx.db, [ticket.id]), ticket.id)
  return { wanted: { status: 'pending', queueId, userId }, log: 'queue', reason }
}

/** Returns the destination on another connection, with that one's queue and user. */
async function toChannel(
  ctx: Ctx,
  ticket: LedgerTicket,
  { connectionId }: Extract<Direction, { to: 'channel' }>,
  { log, reason }: End,
): Promise<Destination> {
  const target = connectionId === null ? null : await findTarget(ctx, ticket, connectionId)
  if (!target || target.isTaken)
    return undirected(ctx, ticket, reason || 'A conversa não pode continuar no canal que o fluxo indica.')
  const { isTaken: _, ...to } = target
  const own = await receiversOf(ctx.db, target.connectionId)
  const isThere = await mayReceive(ctx.db, own)
  const queueId = isThere.queue ? own.queueId : null
  const userId = isThere.user ? own.userId : null
  return { wanted: { ...to, status: 'pending', queueId, userId }, log, reason }
}
