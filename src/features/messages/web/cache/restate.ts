import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { applyToThread } from './thread-cache.ts'

/** Updates the thread with the message of a response. */
export async function publishChanged(answer: Promise<MessageRow>): Promise<void> {
  const message = await answer
  applyToThread(message.ticketId, { type: 'update', payload: { message } })
}

/** Retries or cancels what failed of a message: its sending, an edit, a revocation or a reaction. */
export async function restate(message: MessageRow, operation: 'retry' | 'cancel'): Promise<void> {
  await publishChanged(call(messages[operation], { params: { id: message.id } }, { quiet: true })).catch(notifyError)
}
