import { firstOf, present } from '#domain/present.ts'
import { AHEAD, enqueueSending } from '#features/ledger/server/outbox/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import { lockLedgerTicket } from '#features/ledger/server/ticket/index.ts'
import type { messages } from '#features/messages/contract.ts'
import { type OutgoingFile, storeMessages, wishOf, withOutgoing } from '#features/messages/server/send/index.ts'
import { ticketWith } from '#features/tickets/server/begin/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { unit } from '#server/context.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { readPhone } from '#server/phone.ts'
import type { StoredFile } from '#server/storage.ts'

/**
 * Sends a message to a number, in the contact's ticket on that connection; creates contact and ticket if missing. With the
 * setting `noRedis` it is sent ahead of other conversations, but in order within its own.
 */
export async function sendDirectly(
  { platform, tenantId, user }: SlowCtx,
  { whatsappId, number, message, idFront, ...wishes }: Input<typeof messages.direct>['body'],
  files: readonly StoredFile[],
): Promise<Returned<typeof messages.direct>> {
  const phone = await readPhone(number)
  if (!phone) return fail('ERR_VALIDATION', { number: 'Informe um telefone com DDD.' })
  const digits = phone.e164.slice(1)
  const connection = required(
    await platform.db.read(tenantId, (db) => findConnection(db, whatsappId)),
    'ERR_NO_WAPP_FOUND',
  )
  if (capabilitiesOf(connection.type).begins === 'contact') fail('ERR_WAPP_CHECK_CONTACT')
  const send = (files: readonly OutgoingFile[]) =>
    unit(platform, { tenantId, user }, async (base) => {
      const ctx = { ...base, user }
      const sender = { channel: connection.type, identity: digits, name: digits, number: digits, email: '' }
      const known = await contactBook().find(ctx.db, [sender])
      const [contact] = (known.size > 0 ? known : await contactBook().meet(ctx, [sender])).values()
      const ticketId = await ticketWith(ctx, present(contact).id, whatsappId)
      const isDirect = isOn(ctx.settings, 'noRedis')
      const { isOnce } = wishes
      const wish = { ticketId, idFront: idFront ?? ctx.newId(), body: message, isNote: false, isOnce, files }
      const sent = await storeMessages(isDirect ? { ...ctx, user: { ...user, undoSeconds: 0 } } : ctx, wish)
      if (isDirect) enqueueSending(ctx, present(await lockLedgerTicket(ctx.db, ticketId)), { priority: AHEAD })
      return { message: firstOf(sent.messages), ticket: sent.ticket }
    })
  return withOutgoing(platform, { tenantId, channel: connection.type, files, wish: wishOf(wishes) }, send)
}
