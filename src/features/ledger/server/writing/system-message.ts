import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import { fillIn } from '../texts/fill-in.ts'
import { findMachines, findSubjects } from '../texts/queries.ts'
import type { LedgerTicket } from '../ticket/queries.ts'
import { writeMessages } from './write.ts'

/** What the product says in a ticket in its own name, with variables; the ticket is held by the caller. */
export type SystemMessage = { readonly ticket: LedgerTicket; readonly text: string; readonly sendType: string }

/**
 * Says it, with the variables filled in. The customer goes on waiting as before: a person has not answered. What a machine
 * wrote (an automatic mail, a list) is not answered at all: two machines could go on for ever.
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

/** A text with its variables filled in for a ticket. */
export async function filledIn(ctx: Ctx, ticketId: number, text: string): Promise<string> {
  const subject = text.includes('{{') ? (await findSubjects(ctx.db, [ticketId])).get(ticketId) : undefined
  return subject ? fillIn(ctx, text, subject) : text
}
