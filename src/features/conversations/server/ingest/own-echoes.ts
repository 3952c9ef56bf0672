import type { EchoMessage } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import type { TakenEntry } from './journal-queries.ts'
import { beingSent } from './receipt-queries.ts'

/**
 * What a provider tells back of what is being sent here at this moment, before its id is known, as what it is: the receipt of
 * that message. Everything else stays as it came.
 */
export async function ownEchoes(ctx: Ctx, entries: readonly TakenEntry[]): Promise<readonly TakenEntry[]> {
  const echoes = entries.flatMap(({ payload, connection_id: connectionId }) =>
    payload.type === 'echo' && payload.mayBeOurs ? [{ connectionId, conversationKey: payload.conversationKey }] : [],
  )
  if (echoes.length === 0) return entries
  const sending = await beingSent(ctx.db, echoes)
  return entries.map((entry) => {
    const { payload, connection_id } = entry
    if (payload.type !== 'echo' || !payload.mayBeOurs) return entry
    const index = sending.findIndex(
      (one) =>
        one.connectionId === connection_id &&
        one.conversationKey === payload.conversationKey &&
        isSameMessage(one, payload),
    )
    if (index < 0) return entry
    const [{ id: messageId }] = sending.splice(index, 1) as [(typeof sending)[number]]
    const { dedupeKey, conversationKey, message } = payload
    const { providerId, timestamp } = message
    const receipt = { dedupeKey, conversationKey, providerId, timestamp, messageId }
    return { ...entry, payload: { type: 'receipt', status: 'sent', ...receipt } }
  })
}

// Behind its text may stand what goes with its buttons.
const isSameMessage = (
  { body, hasFile }: { readonly body: string; readonly hasFile: boolean },
  { message }: EchoMessage,
): boolean => (hasFile ? message.remote !== undefined : message.remote === undefined && message.body.startsWith(body))
