import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { fillIn } from '../texts/fill-in.ts'
import { findMachines, findSubjects } from '../texts/queries.ts'
import type { LedgerTicket } from '../ticket/queries.ts'
import { writeMessages } from './write.ts'

/** System message for a ticket, with variables; the caller holds the ticket. */
export type SystemMessage = { readonly ticket: LedgerTicket; readonly text: string; readonly sendType: string }

/**
 * Writes system messages with their variables filled in. The customer still counts as waiting, because no person has
 * answered. Mail from a machine (automatic mail, list) is not answered, as two machines could answer each other endlessly.
 */
export async function sendSystemMessages(ctx: Ctx, all: readonly SystemMessage[]): Promise<void> {
  const asking = all.filter(({ ticket }) => capabilitiesOf(ticket.channel).threads)
  const ofMachines =
    asking.length > 0
      ? await findMachines(
          ctx.db,
          asking.map(({ ticket }) => ticket.id),
        )
      : new Set()
  const messages = all.filter(({ ticket }) => !ofMachines.has(ticket.id))
  if (messages.length === 0) return
  const asked = messages.filter(({ text }) => text.includes('{{')).map(({ ticket }) => ticket.id)
  const subjects = asked.length > 0 ? await findSubjects(ctx.db, asked) : new Map<number, never>()
  const drafts = messages.map(({ ticket, text, sendType }) => {
    const subject = subjects.get(ticket.id)
    const body = subject ? fillIn(ctx, text, subject) : text
    return { ticket, source: 'system', mediaType: 'text', body, sendType } as const
  })
  await writeMessages(ctx, drafts)
}

/** Fills in the variables of a text for a ticket. */
export async function filledIn(ctx: Ctx, ticketId: number, text: string): Promise<string> {
  const subject = text.includes('{{') ? (await findSubjects(ctx.db, [ticketId])).get(ticketId) : undefined
  return subject ? fillIn(ctx, text, subject) : text
}
