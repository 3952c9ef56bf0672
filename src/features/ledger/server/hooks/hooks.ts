import { z } from 'zod'
import type { MessageType } from '#domain/messages/types.ts'
import { lookUp } from '#domain/present.ts'
import { type Ctx, unit, withSavepoint } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { job } from '#server/job.ts'
import { findSentCounts, type SentCounts, saveSentCounts } from '../texts/queries.ts'
import { type LedgerTicket, lockLedgerTickets, type NewMessage } from '../ticket/queries.ts'
import { sendSystemMessages } from '../writing/system-message.ts'

const id = z.number()

/** Hook points with the schema of their items, which must fit into a job. */
const points = {
  /** Customer messages before their ticket is decided: private conversations without a live ticket. */
  onArrival: z.object({
    /** Identical for both spellings of a number. */
    conversation: z.string(),
    connectionId: id,
    spellings: z.array(z.string()),
    /** Text; null for other messages. */
    text: z.string().nullable(),
    /** Epoch ms. */
    at: z.number(),
  }),
  /** Tickets that were opened or reopened. */
  onOpened: z.object({ ticketId: id, isReopened: z.boolean() }),
  /** Open tickets that got an owner; `byUserId` is null if rules assigned it. */
  onAssigned: z.object({ ticketId: id, userId: id, byUserId: id.nullable() }),
  /** Tickets that were resolved: by a person, a timer, a keyword of the customer, a rule, by force, or by a removal. */
  onClosed: z.object({ ticketId: id, how: z.enum(['person', 'timer', 'customer', 'force', 'removal', 'rule']) }),
  /** Tickets that a person passed to a chat flow. */
  onChatFlow: z.object({ ticketId: id, chatFlowId: id }),
  /** Stored messages of customers and colleagues; `user`, `queue`, `chatFlow` and `connection` are the ticket's. */
  onMessageSent: z.object({
    ticketId: id,
    fromMe: z.boolean(),
    isNote: z.boolean(),
    isLate: z.boolean(),
    isClosed: z.boolean(),
    isGroup: z.boolean(),
    userId: id.nullable(),
    queueId: id.nullable(),
    chatFlowId: id.nullable().default(null),
    connectionId: id.default(0),
    channel: z.string().optional(),
    /** Whether the conversation begins with this message. */
    isFirst: z.boolean().default(false),
    /** Text; empty for other types. */
    text: z.string().default(''),
    /** Whether the product sends it in its own name. */
    isAutomatic: z.boolean().optional(),
  }),
  /** All messages of a ticket were read. */
  onRead: z.object({ ticketId: id, connectionId: id, conversationKey: z.string() }),
}
type Points = typeof points

/** Input of a hook. */
export type HookItem<P extends keyof Points> = Readonly<z.output<Points[P]>>

/** System message for a ticket; `atMost` limits how many of its kind (`sendType`) a ticket gets. */
export type HookMessage = { ticketId: number; text: string; sendType: string; atMost?: number }

/**
 * Result of a hook: messages to write, tickets that it attends (later hooks do not get them), and (on arrival) the
 * closed ticket that the words belong to.
 */
export type HookAnswer<P extends keyof Points> = {
  readonly messages?: readonly HookMessage[]
  readonly attends?: ReadonlySet<number>
  readonly answers?: P extends 'onArrival' ? ReadonlyMap<HookItem<P>, LedgerTicket> : never
}

const cause = z.object({ id: z.string(), depth: z.number(), isRepeated: z.boolean().optional() })

/** Cause of a batch: its id, constant when repeated, the depth of rules behind it, and whether it is a repetition. */
export type HookCause = Readonly<z.output<typeof cause>>

/** Extension of conversation events: gets a batch, reads in sets, writes its own tables, records events and jobs. */
export type Hook<P extends keyof Points> = {
  /** Name in the job that repeats it. */
  readonly name: string
  /** Whether it applies to an item, judged by the item alone; default: to all. */
  concerns?(item: HookItem<P>): boolean
  run(ctx: Ctx, batch: readonly HookItem<P>[], cause: HookCause): Promise<HookAnswer<P>>
}

/** All hooks by point, in order of execution. */
export type Hooks = { readonly [P in keyof Points]: readonly Hook<P>[] }

const none: Hooks = {
  onArrival: [],
  onOpened: [],
  onAssigned: [],
  onClosed: [],
  onChatFlow: [],
  onMessageSent: [],
  onRead: [],
}
let registered = none

/** Registers the hooks (`server/features.ts` lists them in order); returns the previous ones. */
export function registerHooks(hooks: Hooks): Hooks {
  const before = registered
  registered = hooks
  return before
}

/**
 * Runs the arrival hooks; returns the messages that answer a question about a closed ticket, and the system messages to
 * write afterwards.
 */
export async function onArrival(
  ctx: Ctx,
  batch: readonly HookItem<'onArrival'>[],
): Promise<{ answers: ReadonlyMap<HookItem<'onArrival'>, LedgerTicket>; messages: readonly HookMessage[] }> {
  const answers = new Map<HookItem<'onArrival'>, LedgerTicket>()
  const messages: HookMessage[] = []
  for (const hook of registered.onArrival) {
    const left = batch.filter((item) => !answers.has(item))
    const answer =
      left.length > 0
        ? await attempt(ctx, 'onArrival', hook, left, (inner, cause) => hook.run(inner, left, cause))
        : null
    for (const [item, ticket] of answer?.answers ?? []) answers.set(item, ticket)
    messages.push(...(answer?.messages ?? []))
  }
  return { answers, messages }
}

/** Runs the hooks of a point, each with the whole batch, and writes their messages. The caller holds `tickets`. */
export async function runHooks<P extends Exclude<keyof Points, 'onArrival'>>(
  ctx: Ctx,
  point: P,
  batch: readonly HookItem<P>[],
  tickets: readonly LedgerTicket[] = [],
): Promise<void> {
  if (batch.length === 0) return
  const hooks: readonly Hook<P>[] = registered[point]
  let left = batch
  for (const hook of hooks) {
    if (left.length === 0) return
    const concerned = hook.concerns ? left.filter((item) => hook.concerns!(item)) : left
    if (concerned.length === 0) continue
    const attended = await attempt(ctx, point, hook, concerned, async (inner, cause) => {
      const { messages = [], attends } = await hook.run(inner, concerned, cause)
      await sendForHooks(inner, messages, tickets)
      return attends
    })
    if (attended) left = left.filter(({ ticketId }) => !attended.has(ticketId))
  }
}

type Written = {
  readonly messages: readonly (Pick<NewMessage, 'ticketId' | 'fromMe' | 'isNote' | 'isLate'> &
    Partial<Pick<NewMessage, 'body' | 'mediaType'>>)[]
  readonly tickets: readonly LedgerTicket[]
  readonly isAutomatic?: boolean
}

const WRITTEN: readonly string[] = ['text', 'interactive_reply'] satisfies MessageType[]

/**
 * Runs `onMessageSent` for messages that were just written, or just sent after waiting; `opened`: tickets that begin with
 * these messages.
 */
export function afterMessages(
  ctx: Ctx,
  { messages, tickets, isAutomatic }: Written,
  opened: readonly number[] = [],
): Promise<void> {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const beginning = new Set(opened)
  const batch = messages.map(({ ticketId, fromMe, isNote, isLate, body = '', mediaType = 'text' }) => {
    const { status, is_group: isGroup, user_id: userId, queue_id: queueId, ...ticket } = lookUp(byId, ticketId)
    const of = { chatFlowId: ticket.chat_flow_id, connectionId: ticket.connection_id, channel: ticket.channel }
    const known = { isClosed: status === 'closed', isGroup, userId, queueId, ...of }
    const text = WRITTEN.includes(mediaType) ? body : ''
    const isFirst = beginning.delete(ticketId)
    return { ticketId, fromMe, isNote, isLate, ...known, isFirst, text, isAutomatic }
  })
  return runHooks(ctx, 'onMessageSent', batch, tickets)
}

/** Writes the messages of hooks, within their limits per ticket, without running hooks: two never answer each other. */
export async function sendForHooks(
  ctx: Ctx,
  messages: readonly HookMessage[],
  known: readonly LedgerTicket[],
): Promise<void> {
  if (messages.length === 0) return
  const tickets = new Map(known.map((ticket) => [ticket.id, ticket]))
  const missing = messages.map(({ ticketId }) => ticketId).filter((ticketId) => !tickets.has(ticketId))
  if (missing.length > 0) for (const ticket of await lockLedgerTickets(ctx.db, missing)) tickets.set(ticket.id, ticket)
  const permitted = await withinLimits(ctx, messages)
  await sendSystemMessages(
    ctx,
    permitted.flatMap(({ ticketId, text, sendType }) => {
      const ticket = tickets.get(ticketId)
      return ticket ? [{ ticket, text, sendType }] : []
    }),
  )
}

// The tickets are locked, so that no other transaction sends a counted message at the same time.
async function withinLimits(ctx: Ctx, messages: readonly HookMessage[]): Promise<readonly HookMessage[]> {
  const limited = messages.filter(({ atMost }) => atMost !== undefined).map(({ ticketId }) => ticketId)
  if (limited.length === 0) return messages
  const tickets = new Map((await findSentCounts(ctx.db, limited)).map((ticket) => [ticket.id, ticket]))
  const changed = new Set<SentCounts>()
  const permitted = messages.filter(({ ticketId, sendType, atMost }) => {
    const ticket = tickets.get(ticketId)
    if (atMost === undefined || !ticket) return true
    const before = ticket.counts[sendType] ?? 0
    if (before >= atMost) return false
    ticket.counts[sendType] = before + 1
    changed.add(ticket)
    return true
  })
  if (changed.size > 0) await saveSentCounts(ctx.db, [...changed])
  return permitted
}

// Infrastructure errors fail the whole transaction, which is retried.
async function attempt<P extends keyof Points, T>(
  ctx: Ctx,
  point: P,
  hook: Hook<P>,
  batch: readonly HookItem<P>[],
  work: (ctx: Ctx, cause: HookCause) => Promise<T>,
): Promise<T | null> {
  const cause = { id: ctx.newId(), depth: ctx.depth ?? 0 }
  try {
    return await withSavepoint(ctx, (inner) => work(inner, cause))
  } catch (err) {
    if (isInfrastructure(err)) throw err
    ctx.platform.log.error({ err, tenantId: ctx.tenantId, hook: hook.name }, 'a hook failed and is repeated as a job')
    ctx.enqueue(hookJob, { point, hook: hook.name, batch: [...batch], cause })
    return null
  }
}

/** Job that repeats a failed hook with its input; the ticket of the messages is decided by then. */
export const hookJob = job({
  name: 'conversations:hook',
  schema: z.object({ point: z.string(), hook: z.string(), batch: z.array(z.unknown()), cause: cause.optional() }),
  run: (platform, { tenantId, ...failed }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      const point = failed.point as keyof Points
      const hooks = (registered[point] ?? []) as readonly Hook<keyof Points>[]
      const hook = hooks.find(({ name }) => name === failed.hook)
      // A hook that this version no longer has.
      if (!hook) return
      const { cause = { id: ctx.newId(), depth: 0 } } = failed
      const batch = z.array(points[point]).parse(failed.batch)
      const { messages = [] } = await hook.run(ctx, batch, { ...cause, isRepeated: true })
      await sendForHooks(ctx, messages, [])
    }),
})
