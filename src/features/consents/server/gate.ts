import { type ConsentState, isMarketing, type Purpose, stateOf } from '#domain/consents/consents.ts'
import type { ConsentGate } from '#features/ledger/server/ports/index.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import { addressesOf, channelAddress, contactOf, isMarketingTemplate, statesOf, wroteSince } from './queries.ts'

/** `send_type` of an opt-out's confirmation, the only message sent after it. */
export const CONFIRMATION = 'opt-out'
/** `send_type` of an agent's message in a conversation. */
const LIVE = 'chat'

/**
 * Returns whether a message must not be sent. Marketing is refused if the person revoked it on any address; a channel whose
 * opt-outs cover all automatic messages (SMS) refuses every automatic message.
 */
export const consentGate: ConsentGate = async (db, channel, conversation, message) => {
  const { id, isTemplate, isAutomatic, sendType } = message
  if (sendType === CONFIRMATION) return false
  const own = channelAddress(channel, conversation.conversationKey)
  // Agents may send any template to a customer whom they attend; flows, schedules and programs may not.
  const isOffer = isTemplate && sendType !== LIVE && (await isMarketingTemplate(db, id))
  if (isOffer || isMarketing(sendType)) {
    const contactId = await contactOf(db, conversation.connectionId, conversation.conversationKey)
    const addresses = contactId === undefined ? [] : ((await addressesOf(db, [contactId])).get(contactId) ?? [])
    return isRevoked(await statesOf(db, [own, ...addresses], 'marketing'))
  }
  if (!isAutomatic || !capabilitiesOf(channel).optOut) return false
  return isRevoked(await statesOf(db, [own], 'utility'))
}

const isRevoked = (states: ReadonlyMap<string, ConsentState>): boolean => stateOf([...states.values()]) === 'revoked'

/** Returns the effective consents of contacts for a purpose. */
export async function consentsOf(
  db: Queryable,
  purpose: Purpose,
  contactIds: readonly number[],
): Promise<Map<number, ConsentState | 'unknown'>> {
  const addresses = await addressesOf(db, contactIds)
  const states = await statesOf(db, [...addresses.values()].flat(), purpose)
  return new Map(
    contactIds.map((id) => [id, stateOf((addresses.get(id) ?? []).flatMap((address) => states.get(address) ?? []))]),
  )
}

/** Returns those of the contacts who revoked a purpose. */
export async function revokedAmong(
  db: Queryable,
  purpose: Purpose,
  contactIds: readonly number[],
): Promise<Set<number>> {
  const states = await consentsOf(db, purpose, contactIds)
  return new Set(contactIds.filter((id) => states.get(id) === 'revoked'))
}

/** Months after a person's last message in which marketing without consent is still permitted. */
const MONTHS = 24

/** Returns those of the contacts who may get marketing: consented, or wrote within 24 months, and not revoked. */
export async function mayBeAsked(db: Queryable, contactIds: readonly number[], now: Date): Promise<Set<number>> {
  const since = new Date(now)
  since.setUTCMonth(since.getUTCMonth() - MONTHS)
  const [states, wrote] = [await consentsOf(db, 'marketing', contactIds), await wroteSince(db, contactIds, since)]
  return new Set(
    contactIds.filter((id) => {
      const state = states.get(id)
      return state === 'granted' || (state === 'unknown' && wrote.has(id))
    }),
  )
}
