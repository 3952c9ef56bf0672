import { transcriptOf } from '#domain/messages/data.ts'
import type { Ctx } from '#server/context.ts'
import { findMessages } from '../messages/queries.ts'
import { lockLedgerTicket } from '../ticket/queries.ts'
import { announceMessage } from './download.ts'
import { setTranscript } from './queries.ts'

/** Stores the transcript of a recording, once, and publishes it; false if it exists or was revoked. */
export async function saveTranscript(ctx: Ctx, messageId: string, text: string): Promise<boolean> {
  const [found] = await findMessages(ctx.db, [messageId])
  const ticket = found && (await lockLedgerTicket(ctx.db, found.ticket_id))
  if (!ticket || found.is_deleted || transcriptOf(found.data) !== null) return false
  await setTranscript(ctx.db, messageId, text, ctx.now)
  await announceMessage(ctx, messageId, ticket)
  return true
}
