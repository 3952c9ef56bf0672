import { type Action, type Performed, tagsOf, type Written } from '#domain/actions/actions.ts'
import { lookUp } from '#domain/present.ts'
import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { changeTags } from '#features/ledger/server/sets/index.ts'
import { type LedgerTicket, lockLedgerTickets } from '#features/ledger/server/ticket/index.ts'
import { type MessageDraft, writeMessages } from '#features/ledger/server/writing/index.ts'
import { announceAll, lockTicket } from '#features/visibility/server/index.ts'
import type { Ctx } from '#server/context.ts'
import { writeMoves } from '../change/write-moves.ts'
import { performOn, refusalOf } from './actions.ts'

/**
 * Runs a rule's actions on a ticket, all or none; log entries name the rule. Leaves the stage (`stageId`) to the caller,
 * because stages and contacts are locked before tickets.
 */
export async function actUnattended(
  ctx: Ctx,
  ticketId: number,
  actions: readonly Action[],
  rule: string,
): Promise<Performed> {
  const nobody = { ...ctx, user: null }
  const before = await lockTicket(nobody, ticketId)
  const performed = lookUp(await performOn(nobody, actions, new Map([[ticketId, before]])), ticketId)
  const { set, written, isSame } = performed
  if (refusalOf(performed) !== null || isSame) return performed
  const data = { reason: `Automação “${rule}”` }
  const logs = performed.logs.map((log) => ({ ...log, data: { ...log.data, ...data } }))
  await writeMoves(nobody, [{ id: ticketId, set, logs }])
  const { add, remove } = tagsOf(actions)
  if (add.length + remove.length > 0) await changeTags(ctx.db, { ids: [ticketId], add, remove })
  if (written.length > 0) {
    const [ticket] = await lockLedgerTickets(ctx.db, [ticketId])
    const drafts = written.map((one) => draftOf(ticket!, one))
    await writeMessages(nobody, drafts)
  }
  await announceAll(nobody, [before])
  const { status = before.row.status, userId } = set
  if (set.closedAt === null) await runHooks(nobody, 'onOpened', [{ ticketId, isReopened: true }])
  if (userId && status === 'open') await runHooks(nobody, 'onAssigned', [{ ticketId, userId, byUserId: null }])
  if (set.status === 'closed') await runHooks(nobody, 'onClosed', [{ ticketId, how: 'rule' }])
  return performed
}

// Sent in the product's name: the customer still waits for a person.
function draftOf(ticket: LedgerTicket, { kind, body }: Written): MessageDraft {
  const own = { ticket, source: 'system', body, sendType: 'rule' } as const
  return kind === 'note' ? { ...own, mediaType: 'note', isNote: true } : { ...own, mediaType: 'text' }
}
