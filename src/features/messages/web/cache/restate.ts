import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { applyToThread } from './thread-cache.ts'

/** Shows what the server answered of a message. */
export async function publishChanged(answer: Promise<MessageRow>): Promise<void> {
  const message = await answer
  applyToThread(message.ticketId, { type: 'update', payload: { message } })
}

/** Sends again what did not go out of a message, or was refused of what is done to it; or gives it up. */
export async function restate(message: MessageRow, operation: 'retry' | 'cancel'): Promise<void> {
  await publishChanged(call(messages[operation], { params: { id: message.id } }, { quiet: true })).catch(notifyError)
}
