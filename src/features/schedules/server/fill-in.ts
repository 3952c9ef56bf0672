import { present } from '#domain/present.ts'
import { isPlaced } from '#features/ledger/server/scheduled/index.ts'
import { fillIn, findSubjects } from '#features/ledger/server/texts/index.ts'
import { findSpeakers } from '#features/tickets/server/actions/index.ts'
import type { Ctx } from '#server/context.ts'

/** Fields of a scheduled message that decide its variables' values. */
type Scheduled = {
  readonly ticket_id: number
  readonly user_id: number | null
  readonly body: string
  readonly schedule_date: Date | null
}

/**
 * Fills in the variables of users' scheduled messages at sending time, with the scheduling user's data. Messages of flows
 * and immediate ones are filled in already.
 */
export async function fillScheduled<Message extends Scheduled>(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  messages: readonly Message[],
): Promise<Message[]> {
  const asked = messages.filter((one) => one.schedule_date && one.user_id !== null && one.body.includes('{{'))
  if (asked.length === 0) return [...messages]
  const ticketIds = asked.map((one) => one.ticket_id)
  const userIds = asked.flatMap((one) => one.user_id ?? [])
  const [subjects, speakers] = await Promise.all([findSubjects(ctx.db, ticketIds), findSpeakers(ctx.db, userIds)])
  return messages.map((one) => {
    const subject = asked.includes(one) ? subjects.get(one.ticket_id) : undefined
    return subject ? { ...one, body: fillIn(ctx, one.body, subject, speakers.get(one.user_id!)) } : one
  })
}

/** Returns the text of a cancelled message that a user sends after all, with its variables filled in now. */
export async function bodyToSend(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  message: Scheduled & { readonly id: string },
): Promise<string> {
  if (!message.schedule_date || (await isPlaced(ctx.db, message.id))) return message.body
  const [filled] = await fillScheduled(ctx, [message])
  return present(filled).body
}
