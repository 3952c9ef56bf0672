import { textsIn } from '#domain/keys.ts'
import { lookUp, present } from '#domain/present.ts'
import { applyOwn, publishActed } from '#features/ledger/server/acts/index.ts'
import { afterMessages } from '#features/ledger/server/hooks/index.ts'
import { addTrail, announceStatus, updateMessage } from '#features/ledger/server/messages/index.ts'
import { enqueueSending } from '#features/ledger/server/outbox/index.ts'
import { lockWaiting } from '#features/ledger/server/scheduled/index.ts'
import { ledgerFacts, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import { releaseMessages } from '#features/schedules/server/index.ts'
import { forgetBulkMessages, insertBulkMessages, lockBulkMessages } from '#features/tickets/server/actions/index.ts'
import type { ErrorCode } from '#kit/errors.ts'
import type { Changed, Return, UserCtx } from '#server/bulk/kind.ts'
import type { Ctx } from '#server/context.ts'
import type { TicketPlan } from './bulk-decide.ts'

/** Writes a plan's messages into its ticket: notes at once, texts as waiting. */
export async function writePlanned(
  ctx: UserCtx,
  plans: readonly (Pick<TicketPlan, 'written'> & { readonly id: number })[],
): Promise<void> {
  const speaking = plans.filter(({ written }) => written && written.all.length > 0)
  const [first] = speaking
  if (!first?.written) return
  const tickets = await lockLedgerTickets(
    ctx.db,
    speaking.map(({ id }) => id),
  )
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const by = { id: ctx.user.id, name: ctx.user.name }
  const { messages } = await writeMessages(
    ctx,
    speaking.flatMap(({ id, written }) =>
      present(written).all.map(({ kind, body, sendType }) => {
        const draft = { ticket: lookUp(byId, id), source: 'staff', by, body } as const
        if (kind === 'note') return { ...draft, mediaType: 'note', isNote: true } as const
        return {
          ...draft,
          mediaType: 'text',
          sendAt: present(written).sendAt,
          ...(sendType ? { sendType } : {}),
        } as const
      }),
    ),
  )
  await insertBulkMessages(ctx.db, first.written.operationId, messages)
  await afterMessages(ctx, { messages: messages.filter(({ isNote }) => isNote), tickets })
}

const MESSAGES = 'messages'

// Returns the messages that an operation wrote into a ticket, from its images before and after.
function writtenIn({ before, after }: Changed): readonly string[] {
  const those = (fields: Changed['before']['fields']) => textsIn(fields[MESSAGES])
  const earlier = those(before.fields)
  return those(after.fields).filter((id) => !earlier.includes(id))
}

/** Returns the tickets whose text has been sent already, so that it cannot be undone. */
export async function alreadySent(ctx: UserCtx, returns: readonly Return[]): Promise<ReadonlyMap<number, ErrorCode>> {
  const messages = await lockBulkMessages(ctx.db, returns.flatMap(writtenIn))
  return new Map(messages.flatMap(({ ticketId, hasLeft }) => (hasLeft ? [[ticketId, 'ERR_SEND_STATE'] as const] : [])))
}

/** Undoes the messages of an operation: cancels texts, deletes notes. */
export async function takeBackWritten(ctx: UserCtx, returns: readonly Return[]): Promise<void> {
  const ids = returns.flatMap(writtenIn)
  const messages = await lockBulkMessages(ctx.db, ids)
  if (messages.length === 0) return
  const tickets = new Map(
    (
      await lockLedgerTickets(
        ctx.db,
        messages.map(({ ticketId }) => ticketId),
      )
    ).map((one) => [one.id, one]),
  )
  const waiting = messages.filter(({ isWaiting }) => isWaiting)
  const detail = { user: ctx.user.name }
  for (const message of waiting) {
    const { id, ticketId } = message
    await updateMessage(ctx.db, id, { status: 'canceled', error_code: null })
    const status = { id, ticketId, status: 'canceled', errorCode: null, isLast: false } as const
    announceStatus(ctx, status, ledgerFacts(lookUp(tickets, ticketId)))
    // Messages held behind the canceled one continue.
    enqueueSending(ctx, message)
  }
  await addTrail(
    ctx.db,
    waiting.map(({ id: messageId }) => ({ messageId, step: 'canceled', detail })),
  )
  const notes = messages.filter(({ isNote, isDeleted }) => isNote && !isDeleted)
  for (const { id } of notes)
    await applyOwn(ctx, { id: ctx.newId(), message_id: id, type: 'revoke', body: null, emoji: null }, detail)
  await publishActed(
    ctx,
    notes.map(({ id }) => id),
  )
  await forgetBulkMessages(ctx.db, ids)
}

/** Releases an operation's waiting messages to customers once the undo has expired. */
export async function releaseWritten(ctx: Ctx, changed: readonly Changed[]): Promise<void> {
  const ids = changed.flatMap(writtenIn)
  if (ids.length === 0) return
  const tickets = await lockLedgerTickets(
    ctx.db,
    changed.map(({ id }) => id),
  )
  await releaseMessages(ctx, await lockWaiting(ctx.db, ids), tickets)
}
