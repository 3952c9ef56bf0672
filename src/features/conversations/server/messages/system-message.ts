import type { Ctx } from '#server/context.ts'
import type { LedgerTicket } from '../ingest/ingest-queries.ts'
import { fillIn } from './fill-in.ts'
import { findSubjects } from './system-message-queries.ts'
import { writeMessages } from './write.ts'

/** What the product says in a ticket in its own name, with variables; the ticket is held by the caller. */
export type SystemMessage = { readonly ticket: LedgerTicket; readonly text: string; readonly sendType: string }

/** Says it, with the variables filled in. The customer goes on waiting as before: a person has not answered. */
export async function sendSystemMessages(ctx: Ctx, messages: readonly SystemMessage[]): Promise<void> {
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
