import { BEFORE, type ByMailState } from '#domain/messages/by-mail.ts'
import type { Ctx } from '#server/context.ts'
import type { JournalEntry } from '../journal/journal-queries.ts'
import { announceWaiting } from '../messages/announce.ts'
import { addTrail, findMessages } from '../messages/queries.ts'
import { type LedgerTicket, ledgerFacts, lockLedgerTicket } from '../ticket/queries.ts'
import {
  changeByMail,
  clearByMail,
  lockUndelivered,
  mailsOf,
  mailsUnderWay,
  setByMail,
  ticketOfMail,
  type Undelivered,
} from './queries.ts'

/** Maximum age of messages in a continuation mail, in ms. */
const MOST_AGE_MS = 2 * 86_400_000

/** Mail that continues a conversation whose contact has left: its messages, and the mails that it follows. */
export type Continuation = {
  /** Its id, identical to that of its last message. */
  readonly id: string
  readonly messages: readonly Undelivered[]
  readonly references: readonly string[]
}

/**
 * Claims a ticket's undelivered messages for a mail, once; null unless one of them was written by a person. A claimed mail
 * without a result becomes uncertain, as it may have been sent.
 */
export async function beginContinuation(ctx: Ctx, ticketId: number): Promise<Continuation | null> {
  const ticket = await lockLedgerTicket(ctx.db, ticketId)
  if (!ticket) return null
  for (const mailId of await mailsUnderWay(ctx.db, ticketId)) await noteContinuation(ctx, mailId, 'uncertain')
  const messages = await lockUndelivered(ctx.db, ticketId, new Date(ctx.now.getTime() - MOST_AGE_MS))
  const last = messages.at(-1)
  if (!last || messages.every(({ userId }) => userId === null)) return null
  const references = await mailsOf(ctx.db, ticketId)
  const ids = messages.map(({ id }) => id)
  await setByMail(ctx.db, ids, last.id)
  await publish(ctx, ticket, ids, 'sending')
  return { id: last.id, messages, references }
}

/** Records the new state of a continuation mail, if it changed. */
export const noteContinuation = (
  ctx: Ctx,
  mailId: string,
  state: Exclude<ByMailState, 'sending'>,
  detail: object = {},
): Promise<void> =>
  within(ctx, mailId, async (ticket) => {
    const mail = { ticketId: ticket.id, mailId, before: BEFORE[state] }
    await publish(ctx, ticket, await changeByMail(ctx.db, mail, state), state, detail)
  })

/** Withdraws a mail that was not sent; its messages may leave with another one. */
export const withdrawContinuation = (ctx: Ctx, mailId: string, detail: object): Promise<void> =>
  within(ctx, mailId, async (ticket) => {
    const ids = await clearByMail(ctx.db, { ticketId: ticket.id, mailId, before: ['sending'] })
    await publish(ctx, ticket, ids, 'waiting', detail)
  })

/** Runs work with the locked ticket of a mail; nothing if the ticket is gone. */
async function within(ctx: Ctx, mailId: string, work: (ticket: LedgerTicket) => Promise<void>): Promise<void> {
  const ticketId = await ticketOfMail(ctx.db, mailId)
  const ticket = ticketId === undefined ? undefined : await lockLedgerTicket(ctx.db, ticketId)
  if (ticket) await work(ticket)
}

async function publish(ctx: Ctx, ticket: LedgerTicket, ids: readonly string[], step: string, detail: object = {}) {
  if (ids.length === 0) return
  await addTrail(
    ctx.db,
    ids.map((messageId) => ({ messageId, step: `mail:${step}`, detail })),
  )
  for (const record of await findMessages(ctx.db, ids)) announceWaiting(ctx, record, ledgerFacts(ticket))
}

/** Applies a mailbox's reports on such mails: bounced, delivered, answered by a machine. */
export async function applyContinuations(ctx: Ctx, entries: readonly JournalEntry[]): Promise<void> {
  for (const { payload } of entries) {
    if (payload.type !== 'continuation') continue
    const { mailId, status, text, providerText } = payload
    if (status === 'answered') {
      const step = { messageId: mailId, step: 'mail:answered', detail: { text } }
      await within(ctx, mailId, () => addTrail(ctx.db, [step]))
    } else await noteContinuation(ctx, mailId, status, { reason: text, providerText })
  }
}
