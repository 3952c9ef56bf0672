import { phoneKey } from '#domain/phone/brazil.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Queryable } from '#server/db/db.ts'
import type { ChannelConversation } from '../ports/channels.ts'
import { hasOptedOut } from './opt-out-queries.ts'

/** How what confirms it is sent, which alone goes to whoever wants nothing. */
export const CONFIRMATION = 'opt-out'

/** Whether something that nobody wrote has to stay here, because whom it is for wants nothing of the kind. */
export async function isUnwantedBy(
  db: Queryable,
  channel: string,
  { conversationKey }: ChannelConversation,
  { isAutomatic, sendType }: { readonly isAutomatic: boolean; readonly sendType: string },
): Promise<boolean> {
  if (!capabilitiesOf(channel).optOut || !isAutomatic || sendType === CONFIRMATION) return false
  return hasOptedOut(db, channel, phoneKey(conversationKey))
}
